"""Which cells of a page need which: by the names that each reads, binds and changes."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache

GENERATORS = {"default_rng", "RandomState", "Random"}  # a name bound to one of these changes whenever it is used
SILENT = {"matplotlib.pyplot"}  # figures end with their cell, so what is called on these leaves nothing behind
EVERYTHING = "*"
GIVEN = {"check"}  # what the page has without any cell, so that no exercise needs another
BUILTINS = set(dir(builtins))
AT_ONCE = {"listcomp", "setcomp", "dictcomp", "genexpr"}  # all other functions run later, when they are called


@dataclass
class Names:
    """What a cell does with names.

    reads : what it wants from cells above
    binds : what it surely gives a new value, whatever was there before
    changes : what it may bind, or change in place
    """

    reads: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)


def needed(sources: list[str], k: int, answers: Collection[int] = ()) -> list[int]:
    """The cells above cell k that it needs, and those that they need, in order.

    `answers` are the cells of exercises, which leave only names that no other cell has.
    """
    cells = [names_of(source) for source in sources[: k + 1]]
    taken = frozenset().union(*(cell.binds | cell.changes for j, cell in enumerate(cells) if j not in answers))
    generators = frozenset().union(*(generators_in(source) for source in sources[: k + 1]))
    wanted, chosen = cells[k].reads - GIVEN, []
    for j in range(k - 1, -1, -1):
        cell = cells[j]
        given = cell.binds | cell.changes | (cell.reads & generators)
        if j in answers:
            given -= taken
        if given & wanted or (EVERYTHING in given and wanted - BUILTINS):
            chosen.insert(0, j)
            wanted = (wanted - (cell.binds & given)) | cell.reads - GIVEN
    return chosen


def depends(sources: list[str], k: int, answers: Collection[int] = ()) -> list[int]:
    """The cells below cell k that need it for more than its imports, which give the same after any change."""
    sources = [*sources[:k], without_imports(sources[k]), *sources[k + 1 :]]
    return [j for j in range(k + 1, len(sources)) if k in needed(sources, j, answers)]


def without_imports(source: str) -> str:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    tree.body = [statement for statement in tree.body if not isinstance(statement, ast.Import | ast.ImportFrom)]
    return ast.unparse(tree)


@cache
def names_of(source: str) -> Names:
    """What a cell does with names; one that cannot be read does nothing."""
    try:
        tree = ast.parse(source)
        tables = [symtable.symtable(ast.unparse(statement), "cell", "exec") for statement in tree.body]
    except SyntaxError:
        return Names()
    cell, later = Names(), set()
    modules, silent = imports(tree)
    for statement, table in zip(tree.body, tables, strict=True):
        now, bound, when_called = used_names(table)
        changed = changed_in_place(statement, modules, silent)
        cell.reads |= (now | changed | augmented(statement)) - cell.binds
        cell.changes |= bound | changed
        cell.binds = (cell.binds | surely_bound(statement)) - deleted(statement)
        later |= when_called
    cell.reads |= later - cell.binds  # by the time a function is called, the cell has bound all its names
    return cell


def used_names(table: symtable.SymbolTable, called: bool = False) -> tuple[set[str], set[str], set[str]]:
    """The page's names that a scope and those inside it read at once, bind, and read when a function is called."""
    at_page = table.get_type() == "module"
    symbols = [symbol for symbol in table.get_symbols() if at_page or symbol.is_global()]
    reads = {symbol.get_name() for symbol in symbols if symbol.is_referenced()}
    binds = {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}
    reads |= set() if at_page else binds  # `global x` and then `x += 1` reads what it binds
    now, later = (set(), reads) if called else (reads, set())
    for inner in table.get_children():
        runs_later = inner.get_type() == "function" and inner.get_name() not in AT_ONCE
        inner_now, inner_binds, inner_later = used_names(inner, called or runs_later)
        now |= inner_now
        binds |= inner_binds
        later |= inner_later
    return now, binds, later


def surely_bound(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.Assign(targets=targets):
            return stored(targets)
        case ast.AnnAssign(target=target, value=value) if value:
            return stored([target])
        case ast.AugAssign(target=ast.Name(id=name)):
            return {name}
        case ast.With(items=items):
            return stored([item.optional_vars for item in items if item.optional_vars])
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases} - {EVERYTHING}
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
    return set()


def stored(targets: list[ast.expr]) -> set[str]:
    nodes = [node for target in targets for node in ast.walk(target)]
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def deleted(statement: ast.stmt) -> set[str]:
    if not isinstance(statement, ast.Delete):
        return set()
    return {target.id for target in statement.targets if isinstance(target, ast.Name)}


def augmented(statement: ast.stmt) -> set[str]:
    """The names of `x += 1`, which reads what it binds."""
    targets = ((node.target, own) for node, own in nodes_of(statement) if isinstance(node, ast.AugAssign))
    found = {target.id for target, own in targets if isinstance(target, ast.Name) and target.id not in own}
    return found | deleted(statement)


def nodes_of(node: ast.AST, own: frozenset[str] = frozenset()) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """The node and all in it, each with the names that belong to the functions around it."""
    yield node, own
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        inside = list(ast.walk(node))
        shared = {name for one in inside if isinstance(one, ast.Global) for name in one.names}
        own |= {one.arg for one in inside if isinstance(one, ast.arg)} | stored([node]) - shared
    for inner in ast.iter_child_nodes(node):
        yield from nodes_of(inner, own)


def changed_in_place(statement: ast.stmt, modules: set[str], silent: set[str]) -> set[str]:
    """The names of values that change: `x[0] = 1`, `x.y = 1`, `del x[0]`, `x.append(1)`, `np.fill_diagonal(x, 1)`.

    A method is taken to change something if its result is not used.
    """
    found = deleted(statement)
    if isinstance(statement, ast.ImportFrom) and any(alias.name == EVERYTHING for alias in statement.names):
        found.add(EVERYTHING)
    for node, own in nodes_of(statement):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                found |= root(node) - own
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method, args=arguments)):
                called = root(method) - silent - own
                found |= called
                if called & modules and arguments and "testing" not in ast.unparse(method):
                    found |= root(arguments[0]) - own
    return found


def root(node: ast.expr) -> set[str]:
    """The name at the beginning of `name.part[0].other`, if there is one."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def imports(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The names of modules in a cell, and of those among them that leave nothing behind; some are imported above it."""
    modules, silent = {"np", "random"}, {"plt"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                modules.add(name)
                if alias.name in SILENT:
                    silent.add(name)
    return modules, silent


@cache
def generators_in(source: str) -> frozenset[str]:
    """The names that a cell binds to a generator of random numbers."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return frozenset()
    return frozenset(
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for name in stored(node.targets)
        if ast.unparse(node.value.func).rpartition(".")[2] in GENERATORS
    )
