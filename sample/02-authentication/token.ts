import { issueToken } from './issue-token.js';
import { SCOPE } from './settings.js';

const [user, scope = SCOPE] = process.argv.slice(2);
if (user === undefined) {
  console.error('usage: token USER [SCOPE]');
  process.exitCode = 1;
} else {
  console.log(await issueToken(user, scope));
}
