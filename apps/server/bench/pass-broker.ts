import { createServer as createHttp } from 'node:http'
import { createServer } from 'node:net'
import { Aedes } from 'aedes'
import { createWebSocketStream, WebSocketServer } from 'ws'

/** A broker that only passes messages on, over TCP and WebSocket. */
const [port = '0', wsPort = '0'] = process.argv.slice(2)
const broker = await Aedes.createBroker()
const http = createHttp()
new WebSocketServer({ server: http }).on('connection', (socket) => broker.handle(createWebSocketStream(socket) as never))
createServer(broker.handle).listen(Number(port), '127.0.0.1', () => http.listen(Number(wsPort), '127.0.0.1', () => console.log('ready')))
