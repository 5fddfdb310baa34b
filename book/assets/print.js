// On paper a chapter is light, and its solutions are unfolded at the end. Afterwards everything is as it was.
{
  const undo = [];
  addEventListener("beforeprint", () => {
    const { theme } = document.documentElement.dataset;
    document.documentElement.dataset.theme = "light";
    undo.push(() => {
      document.documentElement.dataset.theme = theme;
    });
    const article = document.querySelector("article.bd-article");
    const solutions = [...document.querySelectorAll("details.solution")];
    if (!article || !solutions.length) return;
    const end = document.createElement("section");
    end.append(Object.assign(document.createElement("h2"), { textContent: "Solutions" }));
    article.append(end);
    undo.push(() => end.remove());
    for (const solution of solutions) {
      const place = document.createComment("");
      const { open } = solution;
      solution.replaceWith(place);
      solution.open = true;
      end.append(solution);
      undo.push(() => {
        solution.open = open;
        place.replaceWith(solution);
      });
    }
  });
  addEventListener("afterprint", () => {
    while (undo.length) undo.pop()();
  });
}
