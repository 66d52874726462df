// A dealer's hour with the generated types: sign in, look, give an order twice, and be refused. Prints what it saw.
import createClient from "openapi-fetch";

import type { components, paths } from "./schema.js";

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
let cookie = "";
let csrf = "";
client.use({
  onRequest({ request }) {
    if (cookie) request.headers.set("cookie", cookie);
    if (csrf) request.headers.set("x-csrf-token", csrf);
    return request;
  },
});

function answer<T>(data: T | undefined, problem: components["schemas"]["ProblemDetails"] | undefined): T {
  if (data === undefined) throw new Error(problem?.detail ?? "no answer");
  return data;
}

const signedIn = await client.POST("/api/v1/session", { body: { card: "2001", pin: "1234" } });
const session = answer(signedIn.data, signedIn.error);
cookie = signedIn.response.headers.get("set-cookie")?.split(";")[0] ?? "";
csrf = session.csrf;

const where = { table: "CS-1" };
const header = { "Idempotency-Key": "typescript-1" };
// `base_wager` has a default: it need not be sent.
const order = { params: { path: where, header }, body: { spot: 2 } };
const light = await client.POST("/api/v1/tables/{table}/light", order);
const again = await client.POST("/api/v1/tables/{table}/light", order);
const entry: number = answer(light.data, light.error).entry;

const seen = await client.GET("/api/v1/tables/{table}", { params: { path: where } });
const table = answer(seen.data, seen.error);
const wrong = await client.POST("/api/v1/tables/{table}/light", {
  params: { path: where, header: { "Idempotency-Key": "typescript-2" } },
  body: { spot: 99 },
});
const games = await client.GET("/api/v1/games", { params: { query: { limit: 2 } } });

console.log(
  JSON.stringify({
    role: session.role,
    repeated: entry === again.data?.entry && again.response.headers.get("idempotent-replayed") === "true",
    lit: table.progressive?.lit.includes(2) ?? false,
    refused: [wrong.error?.status, wrong.error?.field],
    games: answer(games.data, games.error).items.map((game) => game.game),
  }),
);
