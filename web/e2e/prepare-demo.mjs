// Makes the demo's data once, in the folder that is named, for tests to start with a copy of.
import { Program } from './program.mjs';

const program = new Program(process.argv[2], true, {});
await program.start();
await program.stop();
