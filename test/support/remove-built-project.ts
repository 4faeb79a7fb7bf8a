import { removeBuiltProject } from './built-project.js';

/** Removes what the workers of a run have built, and before it what an earlier one has left. */
export { removeBuiltProject as setup, removeBuiltProject as teardown };
