import { listTwins, type MergeField, mergeFields, mergeWorkers, type Twin } from '@zhugong/contract/personnel/merge'
import { Button, Radio } from 'antd'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Notice, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { orDash, time } from '#kit/format.ts'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'

/** Pairs of files that may be one person, side by side: choose which to keep and what to copy from the other. */
export function TwinsDrawer({ onClose }: { onClose: () => void }) {
  const read = useCall(listTwins, {}, { quiet: true })
  const [pair, setPair] = useState<readonly [Twin, Twin]>()
  return (
    <PageDrawer open size={860} title={pair ? '合并人员档案' : '疑似重复的档案'} onClose={onClose} footer={null}>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !read.data ? (
        <TableSkeleton rows={6} columns={3} />
      ) : pair ? (
        <Compare pair={pair} onBack={() => setPair(undefined)} />
      ) : read.data.list.length === 0 ? (
        <Empty text="没有疑似重复的档案" />
      ) : (
        read.data.list.map((group) => (
          <Card
            key={group.files.map((f) => f.workerId).join()}
            title={group.why}
            remark={`${group.files.length} 份`}
            flush
            className="per-twins"
          >
            {group.files.map((f, i) => (
              <div key={f.workerId}>
                <span>
                  <b>{f.values.name}</b> {f.values.idCard}
                </span>
                <span className="zg-2">
                  {f.stays.length} 段在场，{time(f.createTime)} 建档
                </span>
                {f.passes ? (
                  <Tag tone="running" icon={false}>
                    有通行记录
                  </Tag>
                ) : (
                  <span />
                )}
                {i > 0 && group.files[0] ? (
                  <Button size="small" onClick={() => group.files[0] && setPair([group.files[0], f])}>
                    与第一份比对
                  </Button>
                ) : (
                  <span />
                )}
              </div>
            ))}
          </Card>
        ))
      )}
    </PageDrawer>
  )
}

const fields = Object.keys(mergeFields) as MergeField[]

function Compare({ pair, onBack }: { pair: readonly [Twin, Twin]; onBack: () => void }) {
  // Keep the file that has gate records, because the attendance ledger refers to it.
  const [keepAt, setKeepAt] = useState<0 | 1>(pair[1].passes && !pair[0].passes ? 1 : 0)
  const [keep, drop] = keepAt === 0 ? pair : [pair[1], pair[0]]
  const [take, setTake] = useState<readonly MergeField[]>(() => fields.filter((f) => !keep.values[f] && drop.values[f]))
  const act = useAct(mergeWorkers, { success: false })
  const choose = (next: 0 | 1) => {
    const [kept, gone] = next === 0 ? pair : [pair[1], pair[0]]
    setKeepAt(next)
    setTake(fields.filter((f) => !kept.values[f] && gone.values[f]))
  }
  const merge = async () => {
    const reason = await askReason(`合并 ${keep.values.name} 的两份档案`, '合并依据（至少 5 个字）')
    if (!reason) return
    const yes = await confirmDanger({
      thing: `把 ${drop.values.idCard} 并入 ${keep.values.idCard}`,
      consequence: `${drop.stays.length} 段在场、${drop.certs} 本证书、${drop.contracts} 份合同归保留的档案，两个号码都能查到它。合并后不能撤销。`,
      verb: '合并档案',
      keep: '不合并',
      typeName: keep.values.name ?? '',
      typeLabel: '输入姓名确认',
    })
    if (!yes) return
    const body = {
      keepId: keep.workerId,
      keepVersion: keep.version,
      dropId: drop.workerId,
      dropVersion: drop.version,
      take: [...take],
      reason,
    }
    const done = await act.run({ body })
    if (!done) return
    notify.success(`已合并，${done.data.stays} 段在场、${done.data.certs} 本证书并入`)
    onBack()
  }
  const row = (label: string, value: (t: Twin) => React.ReactNode) => (
    <tr key={label}>
      <th scope="row">{label}</th>
      {pair.map((t) => (
        <td key={t.workerId}>{value(t)}</td>
      ))}
    </tr>
  )
  return (
    <>
      {drop.passes && <Notice tone="danger">要并入的档案有通行记录，考勤账本不能改写；请改为保留这一份。</Notice>}
      <table className="per-compare">
        <thead>
          <tr>
            <th>保留哪一份</th>
            {pair.map((t, i) => (
              <td key={t.workerId}>
                <Radio checked={keepAt === i} onChange={() => choose(i as 0 | 1)}>
                  保留这一份
                </Radio>
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const differs = pair[0].values[field] !== pair[1].values[field]
            return (
              <tr key={field} className={differs ? 'differs' : undefined}>
                <th scope="row">{mergeFields[field]}</th>
                {pair.map((t) => {
                  const taken = (t === drop) === take.includes(field)
                  return (
                    <td key={t.workerId}>
                      <Radio
                        checked={taken}
                        disabled={!differs}
                        onChange={() => setTake(t === drop ? [...take, field] : take.filter((f) => f !== field))}
                      >
                        {orDash(t.values[field] ?? undefined)}
                      </Radio>
                    </td>
                  )
                })}
              </tr>
            )
          })}
          {row('实名核验', (t) => t.realName)}
          {row('建档', (t) => time(t.createTime))}
          {row('通行记录', (t) => (t.passes ? '有' : '没有'))}
          {row('在场', (t) =>
            t.stays.length === 0
              ? '没有'
              : t.stays.map((s) => (
                  <div key={`${s.projectName}${s.entryTime}`}>
                    {s.projectName} {s.entryTime} 至 {s.exitTime ?? '今'}
                  </div>
                )),
          )}
          {row('证书 / 合同', (t) => `${t.certs} 本 / ${t.contracts} 份`)}
        </tbody>
      </table>
      <div className="per-review-foot">
        <Button onClick={onBack}>返回列表</Button>
        <span className="right">
          <Can call={mergeWorkers}>
            <Button type="primary" danger loading={act.running} disabled={drop.passes} onClick={() => void merge()}>
              合并档案
            </Button>
          </Can>
        </span>
      </div>
    </>
  )
}
