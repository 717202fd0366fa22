import { PlusOutlined } from '@ant-design/icons'
import {
  acceptMaterials,
  askMaterial,
  judgeMaterial,
  type MaterialRow,
  materialStages,
  materialStates,
} from '@zhugong/contract/settings/materials'
import { Button, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'
import { usePage } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { FileLinks, MaterialTag, useMaterials } from './materials-parts.tsx'
import './settings.css'

const { Field } = formOf(askMaterial, acceptMaterials, judgeMaterial)

/** Frequent reasons for returning a document. */
const phrases = ['扫描件不清晰', '缺少盖章', '已过有效期', '与登记信息不一致', '内容不全']

/** Review of a project's documents. */
export default function ProjectMaterialPage() {
  const { projectCode, data, error, refetch } = useMaterials()
  const [chosen, setChosen] = useState<string>()
  const [isOpen, setIsOpen] = useState(false)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const waiting = data.list.filter((row) => row.state === materialStates.waiting)
  const row = data.list.find((one) => one.item === chosen) ?? waiting[0] ?? data.list[0]
  const step = (by: number) => {
    const at = data.list.findIndex((one) => one.item === row?.item)
    setChosen(data.list[Math.min(data.list.length - 1, Math.max(0, at + by))]?.item)
  }
  // Select the next waiting one, so that the review can go on by keyboard.
  const onJudged = () => setChosen(waiting.find((one) => one.item !== row?.item)?.item ?? row?.item)
  return (
    <>
      <div className="set-acts">
        <b className={waiting.length ? 'tone-warning' : ''}>待审 {waiting.length}</b>
        <span className="zg-2 set-rest">J / K 上下，A 接收，R 退回</span>
        {data.stages.map((stage) => (
          <AcceptStage
            key={stage.stage}
            projectCode={projectCode}
            stage={stage.stage}
            count={waiting.filter((one) => one.stage === stage.stage).length}
          />
        ))}
        <Can call={askMaterial}>
          <Button icon={<PlusOutlined />} onClick={() => setIsOpen(true)}>
            要求补充
          </Button>
        </Can>
      </div>
      <div className="set-review">
        <Card title="清单" flush>
          {data.list.map((one) => (
            <button
              key={one.item}
              type="button"
              className={`zg-bare set-review-item ${one.item === row?.item ? 'on' : ''}`}
              aria-current={one.item === row?.item}
              onClick={() => setChosen(one.item)}
            >
              <span>{one.name}</span>
              <MaterialTag row={one} />
            </button>
          ))}
        </Card>
        {row && <Preview row={row} />}
        {row && <Verdict key={`${row.item}.${row.version}`} projectCode={projectCode} row={row} onStep={step} onJudged={onJudged} />}
      </div>
      {isOpen && <AskDrawer projectCode={projectCode} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function AcceptStage({ projectCode, stage, count }: { projectCode: string; stage: '1' | '2' | '3'; count: number }) {
  const act = useAct(acceptMaterials, { success: ({ accepted }) => `已接收 ${accepted} 项` })
  if (count === 0) return null
  const name = materialStages[stage]
  return (
    <Can call={acceptMaterials}>
      <Button
        loading={act.running}
        onClick={() =>
          void act.afterRequesting(
            { thing: `接收${name}待审的 ${count} 项资料`, consequence: '逐项看过后再整体接收。', verb: '全部接收', keep: '再看看' },
            { query: { projectCode }, body: { stage } },
          )
        }
      >
        接收{name}（{count}）
      </Button>
    </Can>
  )
}

function Preview({ row }: { row: MaterialRow }) {
  return (
    <Card title={row.name} remark={row.requiredBy}>
      {row.notNeeded && <Notice tone="info">不适用：{row.notNeeded}</Notice>}
      {row.files.length === 0 && !row.notNeeded && <Empty small text="尚未上传" />}
      <div className="set-pictures set-wrap">
        {row.files.map((src) => (
          <Thumb key={src} src={src} name={row.name} width={240} height={180} />
        ))}
      </div>
      <div className="set-acts set-start set-apart">
        <FileLinks files={row.files} />
      </div>
      <Pairs
        items={[
          { label: '有效期至', value: row.validEnd },
          { label: '上传', value: row.version > 0 ? `${row.updateBy} ${row.updateTime}` : null },
          { label: '审核', value: row.judgedBy && `${row.judgedBy} ${row.judgeTime}`, wide: true },
        ]}
      />
      {row.earlier.length > 0 && <h3>历次版本</h3>}
      {row.earlier.map((one) => (
        <div key={one.at} className="set-acts set-start">
          <span className="zg-2">
            {one.at} {one.byName}
          </span>
          <FileLinks files={one.files} />
          {one.opinion && <span className="tone-danger">{one.opinion}</span>}
        </div>
      ))}
    </Card>
  )
}

interface VerdictProps {
  projectCode: string
  row: MaterialRow
  onStep: (by: number) => void
  onJudged: () => void
}

function Verdict({ projectCode, row, onStep, onJudged }: VerdictProps) {
  const [opinion, setOpinion] = useState('')
  const act = useAct(judgeMaterial, { success: '已办理', onDone: onJudged })
  const may = useCan(judgeMaterial, { projectCode }) && row.state === materialStates.waiting
  const { active } = usePage()
  const judge = (action: 'accept' | 'return') => {
    if (!may || act.running || (action === 'return' && opinion.trim().length < 2)) return
    void act.run({ params: { id: row.id ?? '' }, query: { projectCode }, body: { action, opinion, version: row.version } })
  }
  const keys = useRef<Record<string, () => void>>({})
  keys.current = { j: () => onStep(1), k: () => onStep(-1), a: () => judge('accept'), r: () => judge('return') }
  useEffect(() => {
    if (!active) return
    const press = (event: KeyboardEvent) => {
      // Ignore shortcuts while typing in a field.
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable], [role=dialog]')
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return
      keys.current[event.key.toLowerCase()]?.()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [active])
  return (
    <Card title="意见">
      {row.opinion && <Notice tone={row.state === materialStates.returned ? 'danger' : 'info'}>{row.opinion}</Notice>}
      {may ? (
        <>
          <Input.TextArea
            aria-label="意见"
            rows={4}
            maxLength={200}
            value={opinion}
            placeholder="退回必填"
            onChange={(event) => setOpinion(event.target.value)}
          />
          <div className="set-acts set-start set-apart">
            {phrases.map((phrase) => (
              <Button key={phrase} size="small" onClick={() => setOpinion((now) => (now ? `${now}；${phrase}` : phrase))}>
                {phrase}
              </Button>
            ))}
          </div>
          <div className="set-acts">
            <Button danger disabled={opinion.trim().length < 2} loading={act.running} onClick={() => judge('return')}>
              退回
            </Button>
            <Button type="primary" loading={act.running} onClick={() => judge('accept')}>
              接收
            </Button>
          </div>
        </>
      ) : (
        <p className="zg-2">{row.state === materialStates.waiting ? '没有审核资料的权限' : '不在待审状态'}</p>
      )}
    </Card>
  )
}

function AskDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const act = useAct(askMaterial, { success: '已列入清单' })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="要求补充资料"
      initial={{ stage: '2' }}
      input={(body) => ({ query: { projectCode }, body })}
      onClose={onClose}
    >
      <Field name="name" label="资料名称">
        <Input />
      </Field>
      <Field name="stage" label="阶段">
        <Choice clear={false} options={Object.entries(materialStages).map(([value, label]) => ({ value, label }))} />
      </Field>
    </FormDrawer>
  )
}
