// node serve.mjs BUNDLER FOLDER: its development server, unconfigured but for its port and for where pages post. Says its URL, then each post on a line.
const versions = { vite: () => import('vite'), vite7: () => import('vite7') };
const [bundler, root] = process.argv.slice(2);
const { createServer } = await versions[bundler]();

const posts = {
  name: 'posts',
  configureServer: ({ middlewares }) => void middlewares.use('/outcome', (request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      console.log(Buffer.concat(parts).toString());
      response.end();
    });
  }),
};
const server = await createServer({ root, configFile: false, logLevel: 'silent', cacheDir: `node_modules/.${bundler}`, server: { host: '127.0.0.1', port: 0 }, plugins: [posts] });
await server.listen();
console.log(`http://127.0.0.1:${server.httpServer.address().port}/`);
