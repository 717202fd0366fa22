import { DownloadOutlined, SafetyCertificateOutlined, UploadOutlined } from '@ant-design/icons'
import { ledgerRoots, verifyLedger } from '@zhugong/contract/attendance/ledger'
import { listRecords } from '@zhugong/contract/attendance/records'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { call, saveBlob, showFailure, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { day, thousands, time } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { notify } from '#kit/notify.ts'
import { shiftDate } from './sheet-mark.ts'

type Verdict = OutputFor<typeof verifyLedger>
type Root = OutputFor<typeof ledgerRoots>['list'][number]
/** Daily roots of a year and a half; a longer file is compared in parts. */
const mostRoots = 1000

/** Ledger of one project: verification of a period, and the daily root hashes that others keep copies of. */
export function Ledger({ projectCode, no }: { projectCode: string; no: string | undefined }) {
  if (projectCode === '*') return <Empty text="请先选择一个项目" hint="台账按项目各成一条链" />
  return (
    <Can call={verifyLedger} fallback={<Empty text="没有校验考勤账本的权限" hint="可向本组管理员申请" />}>
      <Chain projectCode={projectCode} no={no} />
    </Can>
  )
}

function Chain({ projectCode, no }: { projectCode: string; no: string | undefined }) {
  const [from, setFrom] = useState<string | undefined>(shiftDate(day(Date.now()), -30))
  const [to, setTo] = useState<string | undefined>(day(Date.now()))
  const [running, setRunning] = useState(false)
  const [verdict, setVerdict] = useState<Verdict>()
  const check = async () => {
    setRunning(true)
    try {
      setVerdict(await call(verifyLedger, { query: { projectCode, from, to } }))
    } catch (failure) {
      showFailure(failure)
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      <div className="att-ledger-bar">
        <span className="att-dates">
          <DayInput aria-label="开始日期" value={from ?? null} max={to} onChange={setFrom} />
          <span className="zg-2">至</span>
          <DayInput aria-label="结束日期" value={to ?? null} max={day(Date.now())} onChange={setTo} />
          <Button type="primary" icon={<SafetyCertificateOutlined />} loading={running} onClick={() => void check()}>
            校验这段时间
          </Button>
        </span>
        <RootFile projectCode={projectCode} from={from} to={to} />
      </div>
      {verdict && <Said verdict={verdict} />}
      {no && <Entry projectCode={projectCode} no={no} />}
      <Roots projectCode={projectCode} />
    </>
  )
}

function Said({ verdict }: { verdict: Verdict }) {
  return (
    <Notice tone={verdict.ok ? 'fine' : 'danger'}>
      {verdict.words}
      {verdict.findings.length > 0 && (
        <ul className="att-findings">
          {verdict.findings.slice(0, 20).map((f) => (
            <li key={`${f.kind}${f.seq}${f.row}${f.day}`}>
              <b>{f.kindName}</b>
              {f.seq !== null && ` 第 ${thousands(f.seq)} 条`}
              {f.day && `（${f.day}）`}：{f.note}
            </li>
          ))}
        </ul>
      )}
      <div className="zg-2">
        校验 {thousands(verdict.entries)} 条，日根值 {verdict.roots} 个，与本组留存比对 {verdict.copies} 个；{time(verdict.checkedAt)}
      </div>
    </Notice>
  )
}

/** The entry that a link from another page points to. */
function Entry({ projectCode, no }: { projectCode: string; no: string }) {
  const seq = Number(no)
  const { data } = useCall(
    listRecords,
    { query: { projectCode, seq: `${seq},${seq}`, size: 1 } },
    { quiet: true, enabled: Number.isSafeInteger(seq) && seq > 0 },
  )
  const row = data?.list[0]
  if (!row) return null
  return (
    <div className="att-entry">
      <h3>第 {thousands(row.seq)} 条</h3>
      <Pairs
        items={[
          { label: '姓名', value: row.name },
          { label: '设备时间', value: time(row.date) },
          { label: '设备', value: row.channel ?? row.terminalCode },
          { label: '方向', value: row.directionName },
          { label: '哈希', value: <code className="att-hash">{row.hash}</code>, wide: true },
        ]}
      />
    </div>
  )
}

function Roots({ projectCode }: { projectCode: string }) {
  const list = useListPage(ledgerRoots, { scope: { projectCode }, inUrl: false })
  return (
    <DataTable
      list={list}
      rowKey="date"
      unit="天"
      name="attendance-roots"
      emptyHint="第一个日根值在闸机有记录的次日零点后生成"
      columns={[
        { key: 'date', title: '日期', width: 104, locked: true, value: (r) => r.date },
        { key: 'count', title: '条数', width: 84, align: 'right', value: (r) => thousands(r.count) },
        {
          key: 'seqs',
          title: '序号',
          width: 150,
          value: (r) => (r.firstSeq === null ? '--' : `${thousands(r.firstSeq)} 至 ${thousands(r.lastSeq)}`),
        },
        { key: 'hash', title: '日根值', width: 320, value: (r) => <code className="att-hash">{r.hash}</code> },
        { key: 'delivered', title: '送达本组', width: 152, value: (r) => (r.deliveredAt ? time(r.deliveredAt) : '本组不留存') },
        {
          key: 'same',
          title: '与留存比对',
          width: 104,
          value: (r) =>
            r.copyHash === null ? (
              '--'
            ) : r.copyHash === r.hash ? (
              <span className="tone-fine">一致</span>
            ) : (
              <b className="tone-danger">不一致</b>
            ),
        },
      ]}
    />
  )
}

/** Exports root hashes, and compares a copy kept elsewhere with the present ones. */
function RootFile({ projectCode, from, to }: { projectCode: string; from: string | undefined; to: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  const [result, setResult] = useState<{ ok: boolean; words: string }>()
  const read = () => call(ledgerRoots, { query: { projectCode, from, to, size: mostRoots } })
  const take = async () => {
    try {
      const { list } = await read()
      const text = JSON.stringify(
        list.map(({ date, count, hash }) => ({ projectCode, date, count, hash })),
        null,
        1,
      )
      saveBlob({ blob: new Blob([text], { type: 'application/json' }), fileName: `日根值_${projectCode}_${from ?? ''}_${to ?? ''}.json` })
    } catch (failure) {
      showFailure(failure)
    }
  }
  const compare = async (file: File) => {
    try {
      const kept = JSON.parse(await file.text()) as Partial<Root>[]
      if (!Array.isArray(kept)) throw new SyntaxError('no list')
      const { list } = await read()
      const here = new Map(list.map((r) => [r.date, r.hash]))
      const known = kept.filter((k) => k.date && k.hash && here.has(k.date) && (!k.projectCode || k.projectCode === projectCode))
      const wrong = known.filter((k) => here.get(k.date ?? '') !== k.hash)
      setResult(
        known.length === 0
          ? { ok: false, words: '文件中没有本项目这段时间的日根值' }
          : wrong.length === 0
            ? { ok: true, words: `${known.length} 天的日根值与文件一致` }
            : {
                ok: false,
                words: `${wrong
                  .map((w) => w.date)
                  .slice(0, 10)
                  .join('、')} 的日根值与文件不符，共 ${wrong.length} 天`,
              },
      )
    } catch (failure) {
      if (failure instanceof SyntaxError) notify.error('文件不是日根值清单（JSON）')
      else showFailure(failure)
    }
  }
  return (
    <span className="right">
      {result && <span className={result.ok ? 'tone-fine' : 'tone-danger'}>{result.words}</span>}
      <Button icon={<DownloadOutlined />} onClick={() => void take()}>
        下载日根值
      </Button>
      <Button icon={<UploadOutlined />} onClick={() => input.current?.click()}>
        与留存的文件比对
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="选择留存的日根值文件"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) void compare(file)
          event.target.value = ''
        }}
      />
    </span>
  )
}
