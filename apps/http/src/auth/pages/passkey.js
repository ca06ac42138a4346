// The script of the page at /auth/passkey (WebAuthn level 3). The console has its own.

const button = document.getElementById("sign-in");
const problem = document.getElementById("problem");
const { returnTo, failed, cancelled, unsupported } = button.dataset;

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(response.statusText);
  const { data } = await response.json();
  return data;
}

async function signIn() {
  if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) {
    problem.textContent = unsupported;
    return;
  }
  problem.textContent = "";
  button.disabled = true;
  try {
    const options = await post("/auth/passkey/options", {});
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    const response = credential.toJSON();
    const { next } = await post("/auth/passkey/verify", { response, return_to: returnTo });
    location.replace(next);
  } catch (error) {
    problem.textContent = error.name === "NotAllowedError" ? cancelled : failed;
    button.disabled = false;
  }
}

button.addEventListener("click", () => void signIn());
