import { protocolNames, registerTypes } from '@zhugong/contract/equipment/codes'
import type { listDevices } from '@zhugong/contract/equipment/endpoints'
import type { getModel } from '@zhugong/contract/equipment/model-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { getFamily } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import { Link } from 'react-router'
import { Card, Empty, Pairs } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { OnlineTag } from './device-words.tsx'

type Model = OutputFor<typeof getModel>

export function ModelBasic({ model, family }: { model: Model; family: OutputFor<typeof getFamily> | undefined }) {
  return (
    <Card title="基本">
      <Pairs
        items={[
          { label: '品牌', value: <Link to={hrefOf('/brand/details', { id: model.brandId })}>{model.brandName}</Link> },
          {
            label: '厂商',
            value: <Link to={hrefOf('/manufactor1.1.0/details', { id: model.factoryId })}>{model.factoryName}</Link>,
          },
          { label: '协议', value: model.protocols.map((p) => protocolNames[p as keyof typeof protocolNames] ?? p).join('、') },
          { label: '更新时间', value: model.updateTime },
          ...(family?.params ?? []).flatMap((p) =>
            model.params[p.key] === undefined
              ? []
              : [
                  {
                    label: `默认${p.label}`,
                    value: `${p.values?.[String(model.params[p.key])] ?? String(model.params[p.key])} ${p.unit}`,
                  },
                ],
          ),
          { label: '备注', value: model.remark, wide: true },
        ]}
      />
      <div className="zg-row zg-above-12">{[model.photo, ...model.docs].map((src) => src && <Thumb key={src} src={src} />)}</div>
    </Card>
  )
}

/** Metrics of a model, and their registers in the device. */
export function ModelPoints({ model }: { model: Model }) {
  return (
    <Card
      title="指标与寄存器"
      actions={
        <Button size="small" onClick={() => window.print()}>
          打印
        </Button>
      }
      flush
    >
      <table className="eq-table">
        <thead>
          <tr>
            <th>指标</th>
            <th>标识</th>
            <th>单位</th>
            <th>量程</th>
            <th>设备侧名称</th>
            <th>寄存器</th>
            <th>类型</th>
            <th>比例</th>
          </tr>
        </thead>
        <tbody>
          {model.metrics.map((m) => {
            const register = model.registers.find((r) => r.metric === m.key)
            return (
              <tr key={m.key}>
                <td>{m.label}</td>
                <td>
                  <code>{m.key}</code>
                </td>
                <td>{m.unit || '--'}</td>
                <td>
                  {m.min ?? '--'}～{m.max ?? '--'}
                </td>
                <td>{m.alias ?? '--'}</td>
                <td>{register?.address ?? register?.code ?? '--'}</td>
                <td>{register ? registerTypes[register.type] : '--'}</td>
                <td>{register?.scale ?? '--'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {model.metrics.length === 0 && <Empty small text="未限定指标" hint="此型号接收该类别的全部指标" />}
      {model.alarmCodes.length > 0 && (
        <p className="zg-pad-12">报警码：{model.alarmCodes.map((a) => `${a.code} → ${a.label}`).join('，')}</p>
      )}
    </Card>
  )
}

export function ModelDevices({ devices }: { devices: OutputFor<typeof listDevices> | undefined }) {
  return (
    <Card title="设备" remark={devices && `${devices.total} 台`} flush>
      {(devices?.list ?? []).map((one) => (
        <Link key={one.id} className="eq-row" to={hrefOf('/administrationDetails', { id: one.id })}>
          <b>{one.name}</b>
          <span className="zg-2">{one.projectName}</span>
          <code className="zg-2">{one.deviceSn}</code>
          <span className="right">
            <OnlineTag row={one} />
          </span>
        </Link>
      ))}
      {devices?.total === 0 && <Empty small text="没有设备" hint="登记设备时选择此型号" />}
    </Card>
  )
}

export function ModelVersions({ versions }: { versions: Model['versions'] }) {
  return (
    <Card title="版本" flush>
      {versions.map((one) => (
        <div key={one.id} className="eq-row eq-row-top">
          <Link to={hrefOf('/model/details', { id: one.id, tab: 'versions' })}>
            <b>V{one.modelVersion}</b>
          </Link>
          <ul className="zg-bare-list">
            {one.diff.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <span className="right zg-2">
            {one.byName} {one.createTime}，{one.devices} 台设备
          </span>
        </div>
      ))}
    </Card>
  )
}
