import type { ListenPorts } from '@zhugong/contract/equipment/gateway-endpoints'
import { Pairs } from '#kit/feedback.tsx'
import { Copyable } from './copyable.tsx'
import { connectionName, publishExample } from './gateway-words.ts'
import './equipment.css'

/** How to bring a gateway online: settings to enter, and a command that tests the connection. */
export function ConnectGuide({
  gateway,
  secret,
}: {
  gateway: { id: string; connectionType: string; clientId: string; topics: { up: string; down: string }; ports: ListenPorts }
  /** Known only right after creation. */
  secret?: string | undefined
}) {
  const { broker } = gateway.ports
  return (
    <div className="eq-guide">
      <Pairs
        items={[
          { label: '主机', value: broker?.host ?? location.hostname },
          {
            label: '端口',
            value: broker ? `${broker.port}（${broker.tls ? 'TLS' : 'TCP'}）` : `${gateway.ports.mqtt}（TCP，经代理时以部署为准）`,
          },
          {
            label: '接入方式',
            value: broker ? '外部消息服务器：账号由它的管理员开设，能发布的主题以它的设置为准' : connectionName(gateway.connectionType),
          },
          {
            label: '服务质量',
            value: broker ? 'QoS 1，PUBACK 表示消息服务器已收下并会保管，入库以报文日志为准' : 'QoS 1，收到 PUBACK 即已入库',
          },
        ]}
      />
      <dl className="eq-steps">
        <div>
          <dt>客户端编号 clientId</dt>
          <dd>
            <Copyable text={gateway.clientId} />
          </dd>
        </div>
        <div>
          <dt>用户名</dt>
          <dd>{broker ? '消息服务器分配的账号' : <Copyable text={gateway.id} />}</dd>
        </div>
        <div>
          <dt>密码</dt>
          <dd>
            {broker
              ? '消息服务器分配的账号口令，不是网关密钥'
              : gateway.connectionType === 'mqttPlain'
                ? '网关密钥本身'
                : '以密钥对“clientId|毫秒时间戳”求 HMAC-SHA256（十六进制小写），后接“|毫秒时间戳”，五分钟内有效'}
          </dd>
        </div>
        <div>
          <dt>上行主题</dt>
          <dd>
            <Copyable text={gateway.topics.up} />
          </dd>
        </div>
        <div>
          <dt>下行主题</dt>
          <dd>
            <Copyable text={gateway.topics.down} />
          </dd>
        </div>
        <div>
          <dt>发一条试试，序列号未登记，消息会出现在“拒绝与错误”，不影响真实设备{secret ? '' : '；把“网关密钥”换成保存的密钥'}</dt>
          <dd>
            <Copyable text={publishExample(gateway, secret ?? '网关密钥', location.hostname, 'TEST-0001', gateway.ports)} />
          </dd>
        </div>
      </dl>
    </div>
  )
}
