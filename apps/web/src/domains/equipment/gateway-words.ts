import { connectionTypes, type ListenPorts } from '@zhugong/contract/equipment/gateway-endpoints'

export const connectionOptions = Object.entries(connectionTypes).map(([value, label]) => ({ value, label }))
export const connectionName = (type: string): string => connectionTypes[type as keyof typeof connectionTypes] ?? type

/** Message without values, for when the sending family is not known yet. */
const anyMessage = '{"time":0,"seq":1,"data":{}}'

/**
 * Shell command that sends one reading: `message` is a sample of the family, sent with the current time.
 * Signed passwords are valid for five minutes, so the command computes one.
 */
export function publishExample(
  gateway: { id: string; connectionType: string },
  secret: string,
  host: string,
  deviceSn: string,
  ports: Pick<ListenPorts, 'mqtt' | 'broker'>,
  message = anyMessage,
): string {
  const { broker } = ports
  // An external broker has its own accounts.
  const user = broker ? "'消息服务器账号'" : `'${gateway.id}'`
  const topic = `site/v1/up/${gateway.id}/${deviceSn}/telemetry`
  const said = message.replace(/["\\$`]/g, (sign) => `\\${sign}`).replace(/(\\"time\\":)\d+/, '$1$(date +%s%3N)')
  const send = (password: string) =>
    `mosquitto_pub -h ${broker?.host ?? host} -p ${broker?.port ?? ports.mqtt}${broker?.tls ? ' --tls-use-os-certs' : ''} -i 'gw:${gateway.id}' -u ${user} -P ${password} -q 1 \\\n  -t '${topic}' \\\n  -m "${said}"`
  if (broker) return send("'消息服务器口令'")
  if (gateway.connectionType === 'mqttPlain') return send(`'${secret}'`)
  return [
    'T=$(date +%s%3N)',
    `S=$(printf '%s' "gw:${gateway.id}|$T" | openssl dgst -sha256 -hmac '${secret}' -r | cut -d' ' -f1)`,
    send('"$S|$T"'),
  ].join('\n')
}
