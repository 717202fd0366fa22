import { type Connection, ConnectRefused, type Peer, refusals, startBroker } from '#kit/mqtt/broker'
import type { Extension, IngestContext } from '../ingest/extension.ts'
import type { ViewerPeer } from '../live.ts'
import { readTicket } from '../live-access.ts'
import { clientIdFor, type GatewayPeer } from './admission.ts'
import { startBridge } from './bridge.ts'
import { Gateways, maxPacketBytes } from './gateways.ts'
import { GatewayRequests } from './requests.ts'
import { mqttTrial, platformDialects } from './trial.ts'

/**
 * Limits of items waiting to be written, about one second's load. Above `inAll`, connections with much unread data (a backlog) are not read
 * and their senders wait; above `ofThePresent`, no connection is read.
 */
const mostPending = { inAll: 20_000, ofThePresent: 30_000 }
const everyMs = 1_000

const isViewer = (peer: Peer): peer is ViewerPeer => peer.kind === 'viewer'

/** Gateways over MQTT, with the embedded broker or an external one. Browsers use the embedded broker for live push. */
export const mqtt: Extension = {
  name: 'mqtt',
  trial: mqttTrial,
  dialects: platformDialects,
  async start(ctx) {
    const { config, pool } = ctx
    const gateways = new Gateways(ctx)
    const requests = new GatewayRequests({ gateways, now: ctx.now })
    // Connections to the previous process are gone.
    await pool.query('update gateway set online = false where online')
    const broker = await openBroker(ctx, gateways)
    const bridge = config.mqttUrl ? startBridge({ ...ctx, url: config.mqttUrl, instance: config.dataDir, gateways }) : undefined
    const readOn = () => broker.readOn()
    return {
      ports: { mqtt: broker.port, mqttWs: broker.wsPort },
      downlink: { protocol: 'mqtt', send: (command, device) => requests.send(command, device) },
      committed: readOn,
      repeats: [
        { ms: everyMs, name: 'broker', run: async () => readOn() },
        { ms: everyMs, name: 'gateways', run: () => gateways.flush() },
      ],
      isReady: () => bridge?.isConnected ?? true,
      stopTaking: () => bridge?.close(),
      async stop() {
        await broker.close()
        await gateways.flush().catch(() => undefined)
      },
    }
  },
}

function openBroker({ config, log, secrets, live, counters, pipeline }: IngestContext, gateways: Gateways) {
  // With an external broker, devices may not use the embedded one: two paths could reorder a device's readings, and access rules differ.
  const admitGateway: typeof gateways.authenticate = async (requested) => {
    if (config.mqttUrl) throw new ConnectRefused(refusals.notAllowed, 'devices connect to the external broker')
    return gateways.authenticate(requested)
  }
  const isOfGateway = (peer: Peer): peer is GatewayPeer => peer.kind === 'device'
  return startBroker<Peer>({
    host: config.host,
    // With an external broker only browsers connect here, over WebSocket.
    port: config.mqttUrl ? undefined : config.mqttPort,
    wsPort: config.mqttWsPort,
    log,
    maxPacketBytes,
    clientIdOf: clientIdFor,
    authenticate: (requested) =>
      requested.username === 'live' ? live.admit(requested.clientId, readTicket(secrets, requested.password)) : admitGateway(requested),
    onPublish: (from, topic, payload, done) => gateways.onPublish(from, topic, payload, done),
    onBadPacket(reason, bytes, from) {
      counters.badFrame('mqtt', reason)
      if (from && isOfGateway(from.peer)) gateways.onBadPacket(from, reason, bytes)
    },
    hasRoom: (isLittle) => pipeline.pending < (isLittle ? mostPending.ofThePresent : mostPending.inAll),
    maySubscribe: (who, filter) =>
      isViewer(who.peer) ? live.maySubscribe(who, filter) : isOfGateway(who.peer) && gateways.maySubscribe(who.peer, filter),
    onConnect: (who) => (isViewer(who.peer) ? live.onConnect(who) : gateways.onConnect(who)),
    onDisconnect: (who: Connection<Peer>) => (isViewer(who.peer) ? live.onDisconnect(who) : gateways.onDisconnect(who)),
  })
}
