export default { distDir: process.env.SITE_OUT, turbopack: { root: `${import.meta.dirname}/..` } };
