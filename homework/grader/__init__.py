"""The grader: it turns problem sets into what students get, and a folder of hand-ins into grades and feedback."""
