"""Show a built site on this machine, compressed as a web host would send it: python book/serve.py _build/html"""

import gzip
import sys
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket
from threading import Event, Thread

COMPRESSED = (".woff2", ".png", ".zip", ".gzip")


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript", ".woff2": "font/woff2"}

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        status = HTTPStatus.OK
        if not path.is_file():
            status, path = HTTPStatus.NOT_FOUND, Path(self.directory, "404.html")  # as GitHub Pages answers
        if not path.is_file():
            return self.send_error(status)
        body = path.read_bytes()
        self.send_response(status)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Cache-Control", "no-cache")
        if "gzip" in self.headers.get("Accept-Encoding", "") and path.suffix not in COMPRESSED:
            body = gzip.compress(body, compresslevel=6, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_) -> None:
        """One line for every file would only hide the address."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *args) -> None:
        """Complain of everything but a reader who has left the page."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*args)


@contextmanager
def serving(folder: Path, port: int = 0):
    """Serve `folder` on loopback while the block runs; gives the address."""
    server = Server(("127.0.0.1", port), partial(Handler, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    with socket() as probe:
        free = probe.connect_ex(("127.0.0.1", 8000)) != 0
    with serving(Path(sys.argv[1]), port=8000 if free else 0) as address:
        print(f"The book is at {address}  (stop with Ctrl+C)", flush=True)
        with suppress(KeyboardInterrupt):
            Event().wait()
