import { auditList, listAudit, verifyAudit } from '@zhugong/contract/access/endpoints'
import { exportKeys } from '@zhugong/contract/kit/list'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { ExportDialog } from '#kit/export.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { Choice, TimeInput } from '#kit/inputs.tsx'
import { Pager } from '#kit/pager.tsx'

type AuditFilter = {
  account?: string
  summary?: string
  object?: string
  ip?: string
  result?: 'ok' | 'not'
  startTime?: string
  endTime?: string
}
const words = [
  ['account', '账号或姓名', 50],
  ['summary', '内容', 50],
  ['object', '对象编号或项目编码', 64],
  ['ip', '地址', 45],
] as const
const results = [
  { value: 'ok', label: '成功' },
  { value: 'not', label: '未成功' },
]

/** Audit log: who did what, when and from where, with filters and export. */
export function Audit() {
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const [submitted, setSubmitted] = useState<AuditFilter>({})
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [taking, setTaking] = useState(false)
  const { data, error, refetch } = useCall(
    listAudit,
    { query: { page, size, ...submitted } },
    { quiet: true, staleMs: 0, keepPrevious: true },
  )
  const [checking, setChecking] = useState(false)
  const chain = useCall(verifyAudit, {}, { quiet: true, enabled: checking })
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const ask = (change: AuditFilter) => {
    setSubmitted({ ...submitted, ...change })
    setPage(1)
  }
  // Keep spaces while typing; the query is trimmed.
  const write = (name: (typeof words)[number][0], text: string) => {
    setTyped({ ...typed, [name]: text })
    ask({ [name]: text.trim() || undefined })
  }
  return (
    <>
      {chain.data && (
        <Notice tone={chain.data.broken.length ? 'danger' : 'fine'}>
          {chain.data.broken.length
            ? `日志链有 ${chain.data.broken.length} 处断裂：${chain.data.broken.map((one) => `${one.groupName} 第 ${one.seq} 条（${one.at}）`).join('、')}`
            : `已核对 ${chain.data.chains} 条日志链、${chain.data.rows} 条记录，完整无改动`}
        </Notice>
      )}
      <Card
        title="审计日志"
        remark={`${data.total} 条；只增不改，管理员也不能删除`}
        actions={
          <>
            <Button onClick={() => setTaking(true)}>导出</Button>
            <Button loading={checking && chain.isPending} onClick={() => setChecking(true)}>
              核对日志链
            </Button>
          </>
        }
        flush
      >
        <div className="set-asks">
          {words.map(([name, label, maxLength]) => (
            <Input
              key={name}
              allowClear
              placeholder={label}
              aria-label={label}
              maxLength={maxLength}
              value={typed[name] ?? ''}
              onChange={(event) => write(name, event.target.value)}
            />
          ))}
          <Choice
            aria-label="结果"
            value={submitted.result}
            options={results}
            onChange={(next) => ask({ result: next as AuditFilter['result'] })}
          />
          <TimeInput aria-label="时间起" value={submitted.startTime} onChange={(next) => ask({ startTime: next })} />
          <TimeInput aria-label="时间止" value={submitted.endTime} onChange={(next) => ask({ endTime: next })} />
        </div>
        <div className="set-scroll">
          <table className="set-table">
            <thead>
              <tr>
                {['时间', '人员', '机构', '内容', '结果', '地址'].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.list.map((row) => (
                <tr key={row.id}>
                  <td className="zg-nowrap">{row.at}</td>
                  <td>
                    {row.userName} <span className="zg-2">{row.account}</span>
                  </td>
                  <td>{row.groupName || '--'}</td>
                  <td>
                    {row.summary}
                    {row.objectId && (
                      <Button type="link" size="small" onClick={() => write('object', row.objectId ?? '')}>
                        同一对象
                      </Button>
                    )}
                  </td>
                  <td>
                    <Tag tone={row.result === 'ok' ? 'fine' : 'danger'} icon={false}>
                      {row.result === 'ok' ? '成功' : '未成功'}
                    </Tag>
                  </td>
                  <td>{row.ip}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {data.list.length === 0 && <Empty small text="没有这样的记录" />}
        <Pager list={{ page, size, total: data.total, setPage, setSize }} />
      </Card>
      {taking && (
        <ExportDialog
          feature={auditList.feature ?? ''}
          title="审计日志"
          query={submitted}
          columns={exportKeys(auditList)}
          total={data.total}
          onClose={() => setTaking(false)}
        />
      )}
    </>
  )
}
