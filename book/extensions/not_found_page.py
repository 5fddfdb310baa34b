"""404.html, the page for addresses that lead nowhere: GitHub Pages and other hosts show it in their place."""

from urllib.parse import urlsplit


def not_found_page(app) -> list[tuple]:
    """The page, with the chapters to go on to and the path of the site's root: its links start from there."""
    chapters = []
    for page in sorted(page for page in app.env.found_docs if page.startswith("lectures/")):
        number = "".join(f"{digit}. " for digit in app.env.toc_secnumbers.get(page, {}).get("", ()))
        chapters.append((page, number + app.env.titles[page].astext()))
    root = urlsplit(app.config.html_baseurl).path or "/"
    return [("404", {"title": "Page not found", "chapters": chapters, "site_root": root}, "404.html")]


def setup(app) -> dict:
    app.connect("html-collect-pages", not_found_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
