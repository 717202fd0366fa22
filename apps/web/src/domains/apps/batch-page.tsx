import { listApps } from '@zhugong/contract/apps/app-endpoints'
import { holderName, undoHours } from '@zhugong/contract/apps/codes'
import { type BatchCell, batchApps, grantTargets } from '@zhugong/contract/apps/grant-endpoints'
import { folderTree } from '@zhugong/contract/organisation/project-groups'
import { Button, Checkbox, Input, Segmented, Steps } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { call, saveBlob, showFailure } from '#kit/http.ts'
import { Choices, DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { notify } from '#kit/notify.ts'
import { Cells } from './grant-batch-drawers.tsx'
import './apps.css'

const resultWords: Record<BatchCell['result'], string> = {
  add: '新增',
  extend: '延期',
  shorten: '缩短',
  same: '不变',
  not: '不可',
  remove: '撤销',
}

/** Grants apps to many sites until a day: recipients, apps, preview of every cell, then apply. Cannot revoke anything. */
export default function BatchPage() {
  const [step, setStep] = useState(0)
  const [groups, setGroups] = useState<readonly string[]>([])
  const [apps, setApps] = useState<string[]>([])
  const [deadline, setDeadline] = useState<string>()
  const [cells, setCells] = useState<readonly BatchCell[]>()
  const [batchId, setBatchId] = useState<string | null>(null)
  const available = useCall(listApps, { query: { size: 200 } }, { quiet: true })
  const run = useAct(batchApps, { success: '批量授权已完成' })
  const undo = useAct(batchApps, { success: '已撤回本批新增的授权' })
  const body = { ids: [...groups], apps, deadline: deadline ?? null }
  const look = () =>
    call(batchApps, { body: { ...body, dryRun: true } })
      .then((answer) => {
        setCells(answer.cells)
        setStep(2)
      })
      .catch(showFailure)
  const start = async () => {
    const done = await run.run({ body })
    if (!done) return
    setCells(done.data.cells)
    setBatchId(done.data.batchId)
    setStep(3)
  }
  const again = () => {
    setGroups([])
    setApps([])
    setCells(undefined)
    setBatchId(null)
    setStep(0)
  }
  const takeBack = () =>
    undo
      .afterRequesting(
        {
          thing: '撤回本批授权',
          consequence: `本批新增的授权全部撤销；延长过的期限不缩短。只在 ${undoHours} 小时内可以撤回。`,
          verb: '撤回',
          keep: '保留',
        },
        { body: { mode: 'undo', batchId: batchId ?? '' } },
      )
      .then((done) => done && again())
  const changes = cells?.some((cell) => cell.result === 'add' || cell.result === 'extend')
  return (
    <PageShell remark="只增加和延长，不缩短、不收回；单个对象请到“应用授权设置”">
      <Card>
        <Steps className="apps-steps" current={step} items={['对象', '应用与期限', '核对', '结果'].map((title) => ({ title }))} />
      </Card>
      {step === 0 && (
        <>
          <Receivers chosen={groups} onChoose={setGroups} />
          <Card>
            <div className="apps-bar">
              已选 {groups.length} 个对象
              <span className="apps-right">
                <Button type="primary" disabled={groups.length === 0} onClick={() => setStep(1)}>
                  下一步
                </Button>
              </span>
            </div>
          </Card>
        </>
      )}
      {step === 1 && (
        <Card title="应用与期限">
          <div className="apps-bar">
            <div className="apps-grow">
              <Choices
                aria-label="应用"
                placeholder="选择应用"
                loading={available.isPending}
                value={apps}
                options={(available.data?.list ?? []).filter((app) => !app.base).map((app) => ({ value: app.id, label: app.name }))}
                onChange={(next) => setApps(next ?? [])}
              />
            </div>
            <div className="apps-field">
              <DayInput aria-label="到期日" placeholder="到期日，不填即长期" value={deadline} onChange={setDeadline} />
            </div>
          </div>
          <div className="apps-bar">
            <Button onClick={() => setStep(0)}>上一步</Button>
            <span className="apps-right">
              <Button type="primary" disabled={apps.length === 0} onClick={() => void look()}>
                核对
              </Button>
            </span>
          </div>
        </Card>
      )}
      {step >= 2 && cells && (
        <Card
          title={step === 2 ? '核对' : '结果'}
          remark={`${groups.length} 个对象 × ${apps.length} 个应用`}
          flush
          actions={
            <Button onClick={() => saveBlob({ blob: new Blob([csvOf(cells)], { type: 'text/csv' }), fileName: '批量应用授权.csv' })}>
              导出
            </Button>
          }
        >
          <Cells cells={cells} />
          <div className="apps-bar">
            {step === 2 && <Button onClick={() => setStep(1)}>上一步</Button>}
            <span className="apps-right">
              {step === 2 ? (
                <Button type="primary" disabled={!changes} loading={run.running} onClick={() => void start()}>
                  开始授权
                </Button>
              ) : (
                <>
                  {batchId && <Button onClick={() => void takeBack()}>撤回本批</Button>}
                  <Button type="primary" onClick={again}>
                    再做一批
                  </Button>
                </>
              )}
            </span>
          </div>
        </Card>
      )}
    </PageShell>
  )
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
/** Starts with a byte order mark, so that spreadsheets read UTF-8. */
const csvOf = (cells: readonly BatchCell[]): string =>
  `\uFEFF${[
    ['对象', '应用', '结果', '现到期', '新到期', '说明'],
    ...cells.map((c) => [c.groupName, c.appName, resultWords[c.result], c.before ?? '', c.after ?? '', c.why]),
  ]
    .map((row) => row.map(quoted).join(','))
    .join('\r\n')}`

interface ReceiversProps {
  chosen: readonly string[]
  onChoose: (ids: readonly string[]) => void
}
/** Selects recipients from the list, by project group, or by pasted codes. */
function Receivers({ chosen, onChoose }: ReceiversProps) {
  const targets = useCall(grantTargets, { query: {} }, { quiet: true })
  const folders = useCall(folderTree, { query: { module: 'labor_real_name' } }, { quiet: true })
  const [way, setWay] = useState<'list' | 'paste'>('list')
  const [word, setWord] = useState('')
  const [pasted, setPasted] = useState('')
  if (targets.error) return <ErrorPanel error={targets.error} retry={targets.refetch} />
  if (!targets.data) return <DetailSkeleton />
  const shown = targets.data.list.filter((one) => `${one.name}${one.code}`.includes(word))
  const toggle = (id: string, on: boolean) => onChoose(on ? [...chosen, id] : chosen.filter((one) => one !== id))
  const take = () => {
    const codes = pasted.split(/[\s,，;；]+/).filter(Boolean)
    const found = targets.data.list.filter((one) => codes.includes(one.code))
    const unknown = codes.filter((code) => !found.some((one) => one.code === code))
    onChoose([...new Set([...chosen, ...found.map((one) => one.id)])])
    if (unknown.length > 0) notify.warning(`${unknown.length} 个编码不在管辖范围内：${unknown.slice(0, 3).join('、')}`)
    setPasted(unknown.join('\n'))
  }
  return (
    <Card
      title="对象"
      remark={folders.data?.tree.length ? '项目组在“组织项目”维护' : undefined}
      flush
      actions={
        <Segmented
          aria-label="选择方式"
          value={way}
          options={[
            { value: 'list', label: '从列表选' },
            { value: 'paste', label: '粘贴项目编码' },
          ]}
          onChange={(next) => setWay(next as typeof way)}
        />
      }
    >
      {way === 'paste' ? (
        <div className="apps-bar">
          <Input.TextArea
            aria-label="项目编码"
            rows={6}
            maxLength={20_000}
            placeholder="每行一个项目编码或企业代码"
            value={pasted}
            onChange={(event) => setPasted(event.target.value)}
          />
          <Button disabled={!pasted.trim()} onClick={take}>
            加入
          </Button>
        </div>
      ) : (
        <>
          <div className="apps-bar">
            <div className="apps-field">
              <Input
                allowClear
                maxLength={30}
                placeholder="名称或编码"
                aria-label="名称或编码"
                value={word}
                onChange={(event) => setWord(event.target.value)}
              />
            </div>
            <Button size="small" onClick={() => onChoose([...new Set([...chosen, ...shown.map((one) => one.id)])])}>
              选中筛出的 {shown.length} 个
            </Button>
            {chosen.length > 0 && (
              <Button size="small" onClick={() => onChoose([])}>
                清空
              </Button>
            )}
          </div>
          <div className="apps-scroll">
            {shown.length === 0 && <Empty small text="没有这样的对象" />}
            <ul className="apps-list">
              {shown.map((one) => (
                <li key={one.id}>
                  <Checkbox checked={chosen.includes(one.id)} onChange={(event) => toggle(one.id, event.target.checked)}>
                    {one.name}
                  </Checkbox>
                  <span className="right zg-2">
                    {holderName(one.type)} · {one.areaName ?? '--'} · {one.apps} 个应用
                  </span>
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
      {chosen.length > 200 && <Notice tone="info">对象较多，核对时先看汇总。</Notice>}
    </Card>
  )
}
