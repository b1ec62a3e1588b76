// For svelte-check and the compiler alike: runes everywhere.
export default { compilerOptions: { runes: true } };
