// Takes the token out of the address bar, once the browser keeps it in a cookie.

const asked = new URL(location.href);
if (asked.searchParams.has("token")) {
  asked.searchParams.delete("token");
  history.replaceState(history.state, "", asked);
}
