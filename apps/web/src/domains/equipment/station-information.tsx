import { segmentLimits, updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { listCommands, listFrames, sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Input, InputNumber, Select } from 'antd'
import { useEffect, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { TimeInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { Copyable } from './copyable.tsx'
import { useStation } from './use-station.ts'
import './equipment.css'

const particulates = { tsp: 'TSP', pm10: 'PM10', pm25: 'PM2.5' } as const
const historyKinds = [
  { value: 'minute', label: '分钟数据（2051）' },
  { value: 'hour', label: '小时数据（2061）' },
  { value: 'day', label: '日数据（2031）' },
]

/** What a station answered, without the words of the exchange itself. */
const dataWords = (data: Record<string, unknown> | undefined): string => {
  const read = Object.entries(data ?? {}).filter(([name]) => name !== 'QnRtn' && name !== 'ExeRtn')
  return read.length ? `：${read.map(([name, value]) => `${name} = ${String(value)}`).join('，')}` : ''
}

interface Draft {
  name: string
  mn: string
  crcMode: 'standard' | 'modbus'
  units: Record<string, 'ug' | 'mg'>
  maxLength: number
  intervalSeconds: number
  sm4Key: string
}

/** What must be typed into the station, and does it work? */
export default function StationInformation() {
  const { id, data: one } = useStation()
  const may = useCan(updateGateway)
  const [draft, setDraft] = useState<Draft>()
  const [secret, setSecret] = useState<string>()
  const [history, setHistory] = useState<{ kind: string; from?: string | undefined; to?: string | undefined }>({ kind: 'hour' })
  const save = useAct(updateGateway, { onDone: () => setDraft(undefined) })
  const renew = useAct(updateGateway, { success: false, onDone: (done) => setSecret(done.secret) })
  const command = useAct(sendCommand, { success: false })
  const [answer, setAnswer] = useState<{
    result: number
    message: string
    steps?: { at: number; step: string; text: string }[] | undefined
    data?: Record<string, unknown> | undefined
  }>()
  const frames = useCall(listFrames, { query: { deviceId: id, size: 20 } }, { enabled: id !== '', quiet: true, everyMs: 10_000 })
  const commands = useCall(listCommands, { params: { id }, query: { size: 20 } }, { enabled: id !== '', quiet: true })
  const station = one?.station
  useEffect(() => {
    if (one?.station && !draft)
      setDraft({
        name: one.name,
        mn: one.station.mn,
        crcMode: one.station.crcMode as 'standard' | 'modbus',
        units: one.station.units as Draft['units'],
        maxLength: one.station.maxLength,
        intervalSeconds: one.station.intervalSeconds,
        sm4Key: '',
      })
  }, [one, draft])
  if (!one || !station || !draft) return null
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  const submit = () =>
    save.run({
      params: { id },
      body: {
        name: draft.name,
        version: one.version,
        station: {
          mn: draft.mn.trim(),
          crcMode: draft.crcMode,
          units: draft.units,
          maxLength: draft.maxLength,
          intervalSeconds: draft.intervalSeconds,
          sm4Key: draft.sm4Key || undefined,
        },
      },
    })
  const reset = () =>
    renew.afterAsking(
      {
        thing: `重置 ${one.name} 的密码`,
        consequence: '旧密码立即失效，写入新密码前监测站的报文会被拒绝。',
        verb: '重置密码',
        keep: '保留旧密码',
      },
      { params: { id }, body: { renewSecret: true } },
    )
  const send = async (cmd: 'device.syncTime' | 'hj212.getInterval' | 'hj212.history', params: Record<string, unknown> = {}) => {
    setAnswer(undefined)
    const done = await command.run({ params: { id }, body: { cmd, params } })
    if (done) setAnswer(done.data)
    void commands.refetch()
  }
  return (
    <>
      {station.unitsMissing.length > 0 && (
        <Notice tone="danger">粉尘单位未确认：数据照常保存，但不判断告警。请核对监测站说明书后选择单位。</Notice>
      )}
      <Card
        title="接入"
        actions={
          <Can call={updateGateway}>
            <Can code="device-admin.secret">
              <Button size="small" onClick={() => void reset()}>
                重置密码
              </Button>
            </Can>
            <Button size="small" type="primary" loading={save.running} onClick={() => void submit()}>
              保存
            </Button>
          </Can>
        }
      >
        <div className="eq-mapping">
          <div>
            <span className="zg-2">名称</span>
            <Input
              aria-label="名称"
              maxLength={100}
              disabled={!may}
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          </div>
          <div>
            <span className="zg-2">MN</span>
            <Input aria-label="MN" maxLength={40} disabled={!may} value={draft.mn} onChange={(event) => set({ mn: event.target.value })} />
          </div>
          <div>
            <span className="zg-2">版本（由 Flag 识别）</span>
            <Input aria-label="版本（由 Flag 识别）" disabled value={station.edition ?? '尚未收到'} />
          </div>
          <div>
            <span className="zg-2">校验方式</span>
            <Select
              aria-label="校验方式"
              className="zg-w-all"
              disabled={!may}
              value={draft.crcMode}
              options={[
                { value: 'standard', label: '标准 CRC16（HJ 212）' },
                { value: 'modbus', label: 'Modbus CRC16' },
              ]}
              onChange={(crcMode) => set({ crcMode })}
            />
          </div>
          {Object.entries(particulates).map(([key, label]) => (
            <div key={key}>
              <span className="zg-2">{label} 单位</span>
              <Select
                aria-label={`${label} 单位`}
                className="zg-w-all"
                disabled={!may}
                allowClear
                placeholder="未确认"
                status={draft.units[key] ? '' : 'error'}
                value={draft.units[key] ?? null}
                options={[
                  { value: 'ug', label: 'μg/m³' },
                  { value: 'mg', label: 'mg/m³' },
                ]}
                onChange={(unit: 'ug' | 'mg' | null) => {
                  const { [key]: _old, ...rest } = draft.units
                  set({ units: unit ? { ...rest, [key]: unit } : rest })
                }}
              />
            </div>
          ))}
          <div>
            <span className="zg-2">上报间隔（秒）</span>
            <InputNumber
              aria-label="上报间隔（秒）"
              className="zg-w-all"
              disabled={!may}
              min={1}
              max={86_400}
              value={draft.intervalSeconds}
              onChange={(n) => set({ intervalSeconds: n ?? 60 })}
            />
          </div>
          <div>
            <span className="zg-2">最大长度（字节，标准为 {segmentLimits.standard}）</span>
            <InputNumber
              aria-label="最大长度（字节）"
              className="zg-w-all"
              disabled={!may}
              min={segmentLimits.standard}
              max={segmentLimits.most}
              precision={0}
              value={draft.maxLength}
              onChange={(n) => set({ maxLength: n ?? segmentLimits.standard })}
            />
          </div>
          <div>
            <span className="zg-2">SM4 密钥（2025 版）{one.match?.hasKey ? '，已保存，不填则不变' : ''}</span>
            <Input.Password
              aria-label="SM4 密钥"
              autoComplete="new-password"
              maxLength={32}
              disabled={!may}
              placeholder="32 位十六进制"
              value={draft.sm4Key}
              onChange={(event) => set({ sm4Key: event.target.value })}
            />
          </div>
        </div>
      </Card>
      <Card title="写入设备" remark="逐项写入监测站，密码在新增与重置时显示一次">
        <dl className="eq-steps">
          <div>
            <dt>主机与端口</dt>
            <dd>
              <Copyable text={`${location.hostname}:${one.ports.hj212}`} />
            </dd>
          </div>
          <div>
            <dt>MN</dt>
            <dd>
              <Copyable text={station.mn} />
            </dd>
          </div>
        </dl>
      </Card>
      <Can call={sendCommand}>
        <Card title="校时与补采" remark="三步：9011 请求应答、数据、9012 执行结果">
          <div className="zg-row zg-wrap zg-middle">
            <Button loading={command.running} onClick={() => void send('device.syncTime')}>
              校时
            </Button>
            <Button loading={command.running} onClick={() => void send('hj212.getInterval')}>
              读间隔
            </Button>
            <span className="zg-2">补采</span>
            <Select
              aria-label="补采类型"
              className="zg-w-160"
              value={history.kind}
              options={historyKinds}
              onChange={(kind) => setHistory({ ...history, kind })}
            />
            <div className="zg-w-180">
              <TimeInput value={history.from ?? null} placeholder="从" onChange={(from) => setHistory({ ...history, from })} />
            </div>
            <div className="zg-w-180">
              <TimeInput value={history.to ?? null} placeholder="到" onChange={(to) => setHistory({ ...history, to })} />
            </div>
            <Button
              loading={command.running}
              disabled={!history.from || !history.to}
              onClick={() => void send('hj212.history', { kind: history.kind, startTime: history.from, endTime: history.to })}
            >
              补采历史
            </Button>
          </div>
          {answer && (
            <div className="zg-above">
              <Notice tone={answer.result === 0 ? 'fine' : answer.result === -3 ? 'info' : 'danger'}>
                {answer.message || (answer.result === 0 ? '已执行' : '没有完成')}
                {dataWords(answer.data)}
              </Notice>
              <ol className="eq-changes">
                {(answer.steps ?? []).map((step) => (
                  <li key={`${step.at}${step.step}`}>
                    <span className="when">{time(step.at)}</span>
                    <div>{step.text}</div>
                  </li>
                ))}
              </ol>
            </div>
          )}
          {(commands.data?.list ?? []).slice(0, 5).map((row) => (
            <div key={row.id} className="eq-row">
              <Tag tone={row.result === 0 ? 'fine' : row.result === -3 ? 'running' : 'danger'}>
                {row.result === 0 ? '完成' : row.result === -3 ? '等待' : '未完成'}
              </Tag>
              <b>{row.cmdText}</b>
              <span className="zg-2">{row.message}</span>
              {row.result !== 0 && row.steps.length > 0 && <span className="zg-2">止于 {row.steps.at(-1)?.text}</span>}
              <span className="right zg-2">
                {row.byName} {time(row.sentAt)}
              </span>
            </div>
          ))}
        </Card>
      </Can>
      <Can call={listFrames}>
        <Card title="最近往来" remark="最近十条" flush>
          {(frames.data?.list ?? []).slice(0, 10).map((frame) => (
            <div key={frame.id} className="eq-row">
              <span className="zg-2">{time(frame.time)}</span>
              <span>{frame.direction === 'up' ? '上行' : '下行'}</span>
              <b>{frame.kind}</b>
              <code className="eq-cut">{frame.text ?? frame.hex}</code>
              <span className="right" title={frame.hint ?? ''}>
                {frame.resultText}
              </span>
            </div>
          ))}
          {frames.data?.list.length === 0 && <Empty small text="没有往来" hint="监测站连上平台后，这里显示收发的报文" />}
        </Card>
      </Can>
      <PageModal
        open={secret !== undefined}
        title="新密码只显示这一次"
        okText="已保存"
        onOk={() => setSecret(undefined)}
        onCancel={() => setSecret(undefined)}
      >
        {secret && <Copyable text={secret} label="复制密码" />}
      </PageModal>
    </>
  )
}
