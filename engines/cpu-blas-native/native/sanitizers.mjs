// What builds of C share that want sanitizers: TF_SANITIZE=1, as scripts/native-sanitized.mjs of the workspace sets it. Their output lies beside the shipped one, in a folder `sanitized`.
export const isSanitized = process.env.TF_SANITIZE === '1';

/** Accesses outside of objects, and what C leaves undefined, end the program. Few optimisations: none may take an access away. */
const sanitizing = ['-O1', '-g1', '-fno-omit-frame-pointer', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];

/** Flags of a compiler or linker, for this run. Warnings that analyses of instrumented code make up are no errors. */
export const withSanitizers = (flags) => (isSanitized ? [...flags.filter((flag) => flag !== '-O3' && flag !== '-Werror'), ...sanitizing, '-Wno-maybe-uninitialized'] : flags);
