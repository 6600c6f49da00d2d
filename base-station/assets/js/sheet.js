// The button above a sheet that prints it.

for (const button of document.querySelectorAll("[data-print]"))
  button.addEventListener("click", () => window.print());
