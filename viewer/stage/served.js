document.getElementById("stage").textContent="stage";
