import { frameResults } from '@zhugong/contract/telemetry/commands'
import { type FrameRow, listFrames } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Input, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { saveBlob, useCall } from '#kit/call.ts'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { TimeInput } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import './equipment.css'

/** Maximum rows kept in memory while the log runs. */
const kept = 1_000
const fine = new Set(['stored', 'accepted', 'sent', 'duplicate', 'part', 'ignored'])
/** Results of frames that were stored despite a problem. */
const doubtful = new Set(['late', 'clockAhead', 'oneRejected'])
const resultOptions = Object.entries(frameResults).map(([value, label]) => ({ value, label: `${label}（${value}）` }))

/** Live log of frames: can be paused, filtered, opened and exported. */
export function FrameLog({ deviceId, gatewayId }: { deviceId?: string; gatewayId?: string }) {
  const [buffer, setBuffer] = useState(false)
  const [result, setResult] = useState<string[]>([])
  const [direction, setDirection] = useState<string>()
  const [kind, setKind] = useState('')
  const [from, setFrom] = useState<string>()
  const [to, setTo] = useState<string>()
  const [rows, setRows] = useState<readonly FrameRow[]>([])
  const [open, setOpen] = useState<string>()
  const box = useRef<HTMLDivElement>(null)
  const query = {
    deviceId: deviceId || undefined,
    gatewayId: gatewayId || undefined,
    result: result.length ? result.join(',') : undefined,
    direction: direction || undefined,
    kind: kind || undefined,
    startTime: from || undefined,
    endTime: to || undefined,
    size: 100,
  }
  const read = useCall(listFrames, { query }, { quiet: true, staleMs: 0, everyMs: buffer ? undefined : 3_000 })
  const filter = JSON.stringify(query)
  const shown = useRef(filter)
  useEffect(() => {
    if (!read.data) return
    const fresh = shown.current !== filter
    shown.current = filter
    setRows((now) => {
      const before = fresh ? [] : now
      const known = new Set(before.map((row) => row.id))
      return [...read.data.list.filter((row) => !known.has(row.id)), ...before].slice(0, kept)
    })
  }, [read.data, filter])
  const download = () =>
    saveBlob({
      blob: new Blob(
        [
          rows
            .map((row) =>
              [
                time(row.time),
                row.direction,
                row.kind,
                row.resultText,
                row.identifier,
                row.text ?? row.hex,
                row.answer ?? '',
                row.hint ?? '',
              ].join('\t'),
            )
            .join('\n'),
        ],
        { type: 'text/plain' },
      ),
      fileName: `报文_${deviceId ?? gatewayId ?? ''}.txt`,
    })
  return (
    <Card
      title="报文日志"
      remark={`最近 24 小时，显示 ${rows.length} 条${buffer ? '，已暂停' : ''}`}
      flush
      actions={
        <>
          <div className="zg-w-160">
            <TimeInput value={from ?? null} placeholder="从" onChange={setFrom} />
          </div>
          <div className="zg-w-160">
            <TimeInput value={to ?? null} placeholder="到" onChange={setTo} />
          </div>
          <Input.Search
            aria-label="种类"
            size="small"
            className="zg-w-120"
            allowClear
            maxLength={40}
            placeholder="种类"
            onSearch={(next) => setKind(next.trim())}
          />
          <Select
            aria-label="方向"
            size="small"
            className="zg-w-96"
            allowClear
            placeholder="方向"
            value={direction ?? null}
            options={[
              { value: 'up', label: '上行' },
              { value: 'down', label: '下行' },
            ]}
            onChange={(next: string | null) => setDirection(next ?? undefined)}
          />
          <Select
            aria-label="结果"
            size="small"
            mode="multiple"
            maxTagCount={1}
            className="zg-w-180"
            placeholder="结果"
            value={result}
            options={resultOptions}
            onChange={setResult}
          />
          <Button size="small" onClick={() => setBuffer((now) => !now)}>
            {buffer ? '继续' : '暂停'}
          </Button>
          <Button size="small" disabled={rows.length === 0} onClick={download}>
            下载
          </Button>
        </>
      }
    >
      <div ref={box} className="eq-log">
        {rows.length === 0 && <Empty small text="没有报文" hint={read.error ? read.error.message : '收到报文后自动出现在这里'} />}
        {rows.map((row) => (
          <div key={row.id}>
            <button
              type="button"
              className="zg-bare eq-row"
              aria-expanded={open === row.id}
              onClick={() => setOpen(open === row.id ? undefined : row.id)}
            >
              <span className="zg-2">{time(row.time)}</span>
              <span>{row.direction === 'up' ? '上行' : '下行'}</span>
              <b>{row.kind}</b>
              <Tag tone={fine.has(row.result) ? 'fine' : doubtful.has(row.result) ? 'warning' : 'danger'} icon={false}>
                {row.resultText}
              </Tag>
              <span className="zg-2">{row.length} B</span>
              <code className="eq-cut">{row.text ?? row.hex}</code>
            </button>
            {open === row.id && (
              <div className="eq-frame">
                {row.hint && (
                  <div className="zg-span-all">
                    <Notice tone={fine.has(row.result) ? 'info' : doubtful.has(row.result) ? 'warning' : 'danger'}>{row.hint}</Notice>
                  </div>
                )}
                <div>
                  <b>原始</b>{' '}
                  <Button
                    size="small"
                    type="text"
                    onClick={() => void navigator.clipboard.writeText(row.hex).then(() => notify.success('已复制十六进制'))}
                  >
                    复制十六进制
                  </Button>
                  <pre className="eq-pre">{row.text ?? row.hex.replace(/(..)/g, '$1 ')}</pre>
                </div>
                <div>
                  <b>解析</b>
                  <pre className="eq-pre">{row.decoded ? JSON.stringify(row.decoded, null, 2) : '没有解析内容'}</pre>
                  <b>平台应答</b>
                  <p className="zg-2">
                    {row.answer ?? (fine.has(row.result) ? '不需要应答' : '没有应答')}
                    {row.delayMs !== null && `，${row.delayMs} ms`}，来源 {row.address || '--'}
                  </p>
                </div>
              </div>
            )}
          </div>
        ))}
      </div>
    </Card>
  )
}
