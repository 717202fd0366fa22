import { runServer } from './bootstrap.mjs'

await runServer('demo')
