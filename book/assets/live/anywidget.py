"""What the book's widgets need of anywidget, for the page: traits that are sent to its host. No kernel, no IPython."""

from itertools import count

from traitlets import HasTraits

_numbers = count(1)


class AnyWidget(HasTraits):
    _esm = _css = ""
    send = staticmethod(lambda *change: None)  # shell.py puts the way to the page here

    def __init__(self, **values):
        super().__init__(**values)
        self.model_id = f"live-{next(_numbers)}"
        self.observe(
            lambda change: self.send(self.model_id, change["name"], change["new"]), self.trait_names(sync=True)
        )

    def state(self) -> dict:
        return {name: getattr(self, name) for name in self.trait_names(sync=True)} | {
            "_esm": self._esm,
            "_css": self._css,
        }
