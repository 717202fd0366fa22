import { createServer } from 'node:net'
import { Aedes } from 'aedes'

/** The reference for the delay: a broker that only forwards messages. */
const [port = '0'] = process.argv.slice(2)
const broker = await Aedes.createBroker()
createServer(broker.handle).listen(Number(port), '127.0.0.1', () => console.log('ready'))
