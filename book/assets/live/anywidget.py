"""The part of anywidget that the book's widgets use, for live cells: their values are sent to the page and back."""

from itertools import count

from traitlets import HasTraits, TraitError

_numbers = count(1)


class AnyWidget(HasTraits):
    """A widget whose model is in the page. A trait with the tag `sync` has the same value here and there."""

    _esm = _css = ""
    _taking = None  # the name of the value that is being taken from the page

    def __init__(self, **values):
        super().__init__(**values)
        self.model_id = f"live-{next(_numbers)}"
        self.keys = self.trait_names(sync=True)
        self.observe(self._changed, self.keys)

    @staticmethod
    def send(model_id: str, name: str, value) -> None:
        """Tell the page that Python changed a value. The shell puts the way to the page here."""

    def state(self) -> dict:
        """What the page needs to draw the widget."""
        return {name: getattr(self, name) for name in (*self.keys, "_esm", "_css")}

    def set_state(self, values: dict) -> None:
        """Take values from the page. It hears of them again only if Python refused or changed them.

        A page that heard of all of them would be set back to the last value but one while the reader drags a point.
        """
        for name, value in values.items():
            if name not in self.keys:
                continue
            self._taking = name
            try:
                setattr(self, name, value)
            except (TraitError, ValueError):
                pass  # the old value stays, and the page gets it back
            finally:
                self._taking = None
            if getattr(self, name) != value:
                self.send(self.model_id, name, getattr(self, name))

    def _changed(self, change) -> None:
        if change["name"] != self._taking:
            self.send(self.model_id, change["name"], change["new"])

    def _repr_mimebundle_(self, **_):
        view = {"version_major": 2, "version_minor": 1, "model_id": self.model_id}
        return {"application/vnd.jupyter.widget-view+json": view, "text/plain": repr(self)}, {}
