"""Links at the top of a page: its notebook to download and, where the repository is known, Binder, Colab and source."""

import os
import re
import subprocess
from pathlib import Path

import nbformat
from plain_markdown import Numbers, plain_notebook

BRANCH = "main"
PLAIN_BRANCH = "notebooks"  # where publishing the site puts the plain notebooks, because Colab opens files of a branch


def repository(environ: dict, root: Path) -> str | None:
    """owner/name on GitHub, from GITHUB_REPOSITORY or else from git's remote; None where neither says."""
    if environ.get("GITHUB_REPOSITORY"):
        return environ["GITHUB_REPOSITORY"]
    remote = subprocess.run(["git", "-C", root, "remote", "get-url", "origin"], capture_output=True, text=True)
    found = re.search(r"github\.com[:/]([\w.-]+/[\w.-]+?)(\.git)?/?$", remote.stdout.strip())
    return found[1] if found else None


def find_repository(app, config) -> None:
    config.repository = repository(os.environ, Path(app.srcdir)) or ""
    if config.repository and not config.html_baseurl:
        owner, name = config.repository.split("/")
        home = f"{owner.lower()}.github.io"
        config.html_baseurl = f"https://{home}/" if name.lower() == home else f"https://{home}/{name}/"


def offer(app, pagename, templatename, context, doctree) -> None:
    """Write the page's plain notebook and put the addresses of its buttons into the template's context."""
    context["launch_urls"] = {}
    repo, source, solutions = app.config.repository, Path(app.env.doc2path(pagename)), not app.config.hide_solutions
    if doctree is not None and source.suffix == ".ipynb":
        copy = Path(app.outdir, "notebooks", source.name)
        copy.parent.mkdir(exist_ok=True)
        lecture, site = nbformat.read(source, 4), app.config.html_baseurl
        nbformat.write(plain_notebook(lecture, Numbers(app.env), pagename, site, repo, solutions), copy)
        context["notebook_url"] = context["pathto"](f"notebooks/{source.name}", 1)
        if repo:
            colab = f"https://colab.research.google.com/github/{repo}/blob/{PLAIN_BRANCH}/{source.name}"
            binder = f"https://mybinder.org/v2/gh/{repo}/{BRANCH}?urlpath=lab/tree/{pagename}.ipynb"
            context["launch_urls"] = {"Binder": binder, "Colab": colab} if solutions else {"Colab": colab}
    if repo and doctree is not None and solutions:  # the repository has the solutions
        context["source_url"] = f"https://github.com/{repo}/blob/{BRANCH}/{source.relative_to(app.srcdir).as_posix()}"


def setup(app) -> dict:
    app.add_config_value("repository", "", "html")
    app.connect("config-inited", find_repository)
    app.connect("html-page-context", offer, priority=100)  # before the theme renders its header
    return {"parallel_read_safe": True, "parallel_write_safe": True}
