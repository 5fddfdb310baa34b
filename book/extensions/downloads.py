"""What a page offers: its notebook in plain Markdown, and where the repository's address is known, Binder and Colab."""


def offer(app, pagename, templatename, context, doctree) -> None:
    context["launch_urls"] = {}


def setup(app) -> dict:
    app.connect("html-page-context", offer, priority=100)  # before the theme renders its header
    return {"parallel_read_safe": True, "parallel_write_safe": True}
