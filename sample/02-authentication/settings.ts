/** Who may issue tokens for this agent. In earnest that is an identity provider, and its keys come from a `jwksUrl`. */
export const ISSUER = 'https://idp.example.com';
/** What a token must be for. */
export const AUDIENCE = 'notebook';
/** The secret that this demonstration shares with its issuer, which is the script `token.ts`. */
export const SECRET = process.env.JWT_SECRET ?? 'a secret for this demonstration only';
/** What a token must permit. */
export const SCOPE = 'notes';
