// The script of the pages at /auth/passkey and /shorten (WebAuthn level 3). The console has its own.

const button = document.getElementById("sign-in");
const field = document.querySelector("input[autocomplete$=webauthn]");

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

async function signIn(returnTo, more) {
  const options = await post("/auth/passkey/options", {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey, ...more });
  const response = credential.toJSON();
  const { next } = await post("/auth/passkey/verify", { response, return_to: returnTo });
  location.replace(next);
}

async function press() {
  const problem = document.getElementById("problem");
  const { returnTo, failed, cancelled, unsupported } = button.dataset;
  if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) {
    problem.textContent = unsupported;
    return;
  }
  problem.textContent = "";
  button.disabled = true;
  try {
    await signIn(returnTo);
  } catch (error) {
    problem.textContent = error.name === "NotAllowedError" ? cancelled : failed;
    button.disabled = false;
  }
}

/** Lets the browser offer passkeys in the field for the address. Challenges end after five minutes. */
async function offer() {
  if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
  for (;;) {
    const signal = AbortSignal.timeout(4 * 60_000);
    try {
      return await signIn(field.form.elements.return_to.value, { mediation: "conditional", signal });
    } catch {
      if (!signal.aborted) return;
    }
  }
}

button?.addEventListener("click", () => void press());
if (field !== null) void offer();
