import { MinusSquareOutlined, PlusSquareOutlined, PrinterOutlined } from '@ant-design/icons'
import { isOn } from '@zhugong/contract/kit/enable'
import { listGovernments, updateGovernment } from '@zhugong/contract/organisation/governments'
import type { GovernmentRow } from '@zhugong/contract/organisation/model'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { EnableTag } from '#kit/enable.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { notify } from '#kit/notify.ts'
import { hrefOf } from '#kit/page.tsx'
import { CompanyChart } from './company-chart.tsx'
import { type Branch, branches, type Gap, gapsOf, insideOf } from './government-chart.ts'
import './organisation.css'

/** Maximum number of bodies; a city has dozens, a province hundreds. */
const mostBodies = 1000
/** Above this number the third level starts collapsed. */
const foldedFrom = 300

type Row = Branch<GovernmentRow>

const systems = [
  { value: 'government', label: '监管体系' },
  { value: 'corporation', label: '企业体系' },
] as const
type System = (typeof systems)[number]['value']

/** Hierarchy of government bodies, with gaps and overlaps. */
export default function GovernmentChartPage() {
  const bodies = useCall(listGovernments, { query: { size: mostBodies, sort: 'level' } }, { quiet: true })
  const [chosen, setChosen] = useState<string>()
  const [word, setWord] = useState('')
  const [system, setSystem] = useState<System>('government')
  const rows = bodies.data?.list ?? []
  const tree = branches(rows)
  const gaps = gapsOf(rows)
  const body = rows.find((row) => row.govCode === chosen)
  const move = useMove(tree)
  if (!bodies.data)
    return <PageShell>{bodies.error ? <ErrorPanel error={bodies.error} retry={bodies.refetch} /> : <DetailSkeleton />}</PageShell>
  const chart: ChartProps = {
    chosen,
    word,
    flawed: new Set(gaps.map((gap) => gap.govCode)),
    folded: rows.length > foldedFrom,
    onChoose: setChosen,
    move,
  }
  return (
    <PageShell
      actions={
        <>
          <Segmented<System> aria-label="体系" value={system} options={[...systems]} onChange={setSystem} />
          <Input.Search placeholder="机构名称" aria-label="查找机构" allowClear maxLength={50} onSearch={(text) => setWord(text.trim())} />
          <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
            打印
          </Button>
        </>
      }
    >
      {system === 'corporation' && <CompanyChart word={word} />}
      {system === 'government' && (
        <div className="org-chart-page">
          <Card title="监管体系" remark={move ? '拖动机构可调整其上级' : `${rows.length} 个机构`} className="org-chart-card">
            {tree.length === 0 ? (
              <Empty />
            ) : (
              <ul className="org-chart">
                {tree.map((branch) => (
                  <Node key={branch.body.govCode} branch={branch} depth={0} {...chart} />
                ))}
              </ul>
            )}
          </Card>
          <aside className="org-chart-side">
            {body && <BodyCard body={body} />}
            <Gaps gaps={gaps} onChoose={setChosen} />
          </aside>
        </div>
      )}
    </PageShell>
  )
}

type Move = (from: string, to: GovernmentRow) => void

/** Moves a body below another after confirmation; undefined without the permission. */
function useMove(tree: readonly Row[]): Move | undefined {
  const act = useAct(updateGovernment, { success: '上级机构已调整' })
  const may = useCan(updateGovernment)
  const all = (list: readonly Row[]): GovernmentRow[] => list.flatMap((branch) => [branch.body, ...all(branch.children)])
  const move: Move = (from, to) => {
    const body = all(tree).find((row) => row.govCode === from)
    if (!body || body.parentGovCode === to.govCode) return
    if (insideOf(tree, from).has(to.govCode)) return notify.warning('上级机构不能是自己或自己的下级')
    // Leave out the phone, because the client has it masked only.
    const { linkPhone: _masked, ...kept } = body
    void act.afterRequesting(
      {
        thing: `把 ${body.name} 调整到 ${to.name} 之下`,
        consequence: `原上级 ${body.parentName ?? '（无）'} 不再能修改其资料，${to.name} 可以。管辖区划与可见项目不变。`,
        verb: '调整上级',
        keep: '不调整',
      },
      { params: { govCode: from }, body: { ...kept, parentGovCode: to.govCode, version: body.version } },
    )
  }
  return may ? move : undefined
}

interface ChartProps {
  chosen: string | undefined
  word: string
  flawed: ReadonlySet<string>
  folded: boolean
  onChoose: (govCode: string) => void
  move: Move | undefined
}

function Node({ branch, depth, ...chart }: ChartProps & { branch: Row; depth: number }) {
  const { body, children } = branch
  const [open, setOpen] = useState(!(chart.folded && depth >= 1))
  const [over, setOver] = useState(false)
  const found = chart.word !== '' && body.name.includes(chart.word)
  const state = [chart.chosen === body.govCode && 'on', found && 'found', over && 'over', !isOn(body.enable) && 'off']
  return (
    <li>
      <div className="org-chart-node">
        <button
          type="button"
          className={`org-box ${state.filter(Boolean).join(' ')}`}
          aria-pressed={chart.chosen === body.govCode}
          ref={(element) => {
            if (found) element?.scrollIntoView({ block: 'center', inline: 'center' })
          }}
          onClick={() => chart.onChoose(body.govCode)}
          draggable={chart.move !== undefined}
          onDragStart={(event) => event.dataTransfer.setData('text/plain', body.govCode)}
          onDragOver={(event) => {
            if (!chart.move) return
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            chart.move?.(event.dataTransfer.getData('text/plain'), body)
          }}
        >
          <b>{body.name}</b>
          {chart.flawed.has(body.govCode) && <i role="img" className="org-dot" title="有缺口" aria-label="有缺口" />}
          <span className="zg-2">
            {body.levelName} · 管辖 {body.reachCount} 个项目
          </span>
        </button>
        {children.length > 0 && (
          <button
            type="button"
            className="zg-bare"
            aria-expanded={open}
            aria-label={`${open ? '收起' : '展开'}${body.name}的下级`}
            onClick={() => setOpen(!open)}
          >
            {open ? <MinusSquareOutlined /> : <PlusSquareOutlined />}
          </button>
        )}
      </div>
      {open && children.length > 0 && (
        <ul>
          {children.map((below) => (
            <Node key={below.body.govCode} branch={below} depth={depth + 1} {...chart} />
          ))}
        </ul>
      )}
    </li>
  )
}

const BodyCard = ({ body }: { body: GovernmentRow }) => (
  <Card title={body.name} remark={body.typeName}>
    <Pairs
      items={[
        { label: '状态', value: <EnableTag enable={body.enable} /> },
        { label: '层级', value: body.levelName },
        { label: '管辖区划', value: body.areaName },
        { label: '上级机构', value: body.parentName },
        { label: '联系人', value: body.linkMan },
        { label: '联系电话', value: body.linkPhone },
        { label: '管辖项目', value: `${body.reachCount} 个` },
        {
          label: '直接监督项目',
          value: <Link to={hrefOf('/gov/project', { superviseOrg: body.govCode })}>{body.projectCount} 个</Link>,
        },
      ]}
    />
  </Card>
)

const Gaps = ({ gaps, onChoose }: { gaps: readonly Gap[]; onChoose: (govCode: string) => void }) => (
  <Card title="缺口" remark={gaps.length > 0 ? `${gaps.length} 处` : '没有发现缺口'}>
    <ul className="org-gaps">
      {gaps.map((gap) => (
        <li key={`${gap.govCode}${gap.kind}`}>
          <Tag tone="warning">{gap.kind}</Tag>
          <button type="button" className="zg-bare zg-link" onClick={() => onChoose(gap.govCode)}>
            {gap.text}
          </button>
        </li>
      ))}
    </ul>
  </Card>
)
