import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { changeStates } from '@zhugong/contract/organisation/codes'
import { type Fence, hectaresOf, isSameFence, reasonToDecide, ringsOf } from '@zhugong/contract/organisation/fence'
import { auditAreaRule, getAreaRule, setAreaRule } from '@zhugong/contract/organisation/fences'
import { isPlaced } from '@zhugong/contract/organisation/place'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { SiteMap } from '#kit/map.tsx'
import { PageDrawer, PageModal } from '#kit/overlay.tsx'
import type { Punch, Underlay } from './fence-canvas.tsx'
import { draftOf, fenceOf, planOutline, problemOf } from './fence-draft.ts'
import { FenceEditor } from './fence-editor.tsx'

type Shown = OutputFor<typeof getAreaRule>

/** Fence of a project in a drawer; mobile sign-ins are judged by it. */
export function FenceDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const shown = useCall(getAreaRule, { query: { projectCode } }, { quiet: true, staleMs: 0 })
  const ready = shown.data && !shown.isFetching
  return (
    <PageDrawer open size={1120} title="电子围栏" onClose={onClose} styles={{ body: { padding: 12 } }}>
      {shown.error ? (
        <ErrorPanel error={shown.error} retry={shown.refetch} />
      ) : ready ? (
        <FenceForm key={`${shown.data.version}.${shown.data.proposal?.version}`} shown={shown.data} onDone={onClose} />
      ) : (
        <DetailSkeleton />
      )}
    </PageDrawer>
  )
}

/** Fence editor as a page: fence in force, proposed fence, punches on the map, history. */
export function FenceOf({ projectCode, punches = [] }: { projectCode: string; punches?: readonly Punch[] }) {
  const shown = useCall(getAreaRule, { query: { projectCode } }, { quiet: true, staleMs: 0 })
  if (shown.error) return <ErrorPanel error={shown.error} retry={shown.refetch} />
  if (!shown.data) return <DetailSkeleton />
  return (
    <FenceForm
      key={`${shown.data.version}.${shown.data.proposal?.version}`}
      shown={shown.data}
      punches={punches}
      onDone={() => undefined}
    />
  )
}

function FenceForm({ shown, punches = [], onDone }: { shown: Shown; punches?: readonly Punch[]; onDone: () => void }) {
  const { projectCode, proposal } = shown
  const [draft, setDraft] = useState(() => draftOf(shown.areaRule))
  const [reason, setReason] = useState('')
  const save = useAct(setAreaRule, {
    success: ({ state }) => (state === 'waiting' ? '已提交，审定后生效' : '围栏已生效'),
    onDone,
  })
  const may = useCan(setAreaRule, { projectCode })
  const wanted = fenceOf(draft)
  const changed = !isSameFence(shown.areaRule, wanted)
  const why = shown.proposes ? reasonToDecide(shown.decided, wanted) : undefined
  const underlays: Underlay[] = [
    ...(shown.areaRule ? [{ name: '现行围栏', rings: ringsOf(shown.areaRule), tone: 'now' as const }] : []),
    ...(proposal?.areaRule ? [{ name: '申请的围栏', rings: ringsOf(proposal.areaRule), tone: 'proposed' as const }] : []),
  ]
  const requested = () => save.run({ body: { projectCode, areaRule: wanted, reason, version: shown.version } })
  return (
    <div className="org-fence-page">
      {proposal && <Proposal shown={shown} proposal={proposal} />}
      <FenceEditor
        draft={draft}
        onChange={setDraft}
        name={shown.name}
        address={isPlaced(shown) ? [shown.lng, shown.lat] : undefined}
        underlays={underlays}
        plan={planOutline(shown.sitePlan)}
        readOnly={!may}
        punches={punches}
      />
      <Pairs
        items={[
          { label: '项目', value: shown.name },
          { label: '现行面积', value: shown.areaRule && `${shown.hectares.toFixed(2)} 公顷` },
          {
            label: '项目地址',
            value:
              shown.offsetMeters === null
                ? shown.address
                : `${shown.address}（${shown.offsetMeters ? `围栏外 ${shown.offsetMeters} 米` : '围栏内'}）`,
          },
        ]}
      />
      {may && (
        <div className="org-fence-save">
          <Input
            aria-label="原因"
            placeholder="原因，如：围挡外移、增加生活区"
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button
            type="primary"
            loading={save.running}
            disabled={!changed || problemOf(draft) !== undefined || reason.trim().length < 2}
            onClick={() => void requested()}
          >
            {why ? '提交审定' : wanted ? '保存并生效' : '撤销围栏'}
          </Button>
          <span className="zg-2">{why ? `${why}，由企业或监管机构审定后生效` : '过去的打卡按当时的围栏判定，修改不影响已计的考勤'}</span>
        </div>
      )}
      <History shown={shown} onShow={(areaRule) => setDraft(draftOf(areaRule))} />
    </div>
  )
}

function Proposal({ shown, proposal }: { shown: Shown; proposal: NonNullable<Shown['proposal']> }) {
  const { projectCode } = shown
  const audit = useAct(auditAreaRule, { success: '已审定' })
  const decide = async (result: '1' | '2') => {
    const opinion = result === changeStates.refused ? await askReason(`驳回 ${shown.name} 的围栏变更`, '意见') : ''
    if (opinion === undefined) return
    await audit.run({ body: { projectCode, result, opinion, version: proposal.version } })
  }
  return (
    <Notice
      tone="warning"
      actions={
        !shown.proposes && (
          <Can call={auditAreaRule}>
            <Button size="small" loading={audit.running} onClick={() => void decide('2')}>
              驳回
            </Button>
            <Button size="small" type="primary" loading={audit.running} onClick={() => void decide('1')}>
              通过
            </Button>
          </Can>
        )
      }
    >
      {proposal.filedName} 于 {proposal.createTime} 申请变更：{proposal.why}，{shown.hectares.toFixed(2)} → {proposal.hectares.toFixed(2)}{' '}
      公顷。原因：{proposal.reason}
    </Notice>
  )
}

const stateWords: Record<string, string> = { [changeStates.passed]: '生效', [changeStates.refused]: '驳回' }

function History({ shown, onShow }: { shown: Shown; onShow: (areaRule: Fence | null) => void }) {
  if (shown.history.length === 0) return null
  return (
    <Card title="历次围栏" remark="点时间在图上查看，可据此修改">
      <ul className="org-fence-history">
        {shown.history.map((one) => (
          <li key={one.id}>
            <button type="button" className="zg-bare zg-link" onClick={() => onShow(one.areaRule)}>
              {one.at}
            </button>
            <Tag tone={one.state === changeStates.refused ? 'danger' : 'fine'} icon={false}>
              {stateWords[one.state]}
            </Tag>
            <b>{one.areaRule ? `${one.hectares.toFixed(2)} 公顷` : '撤销'}</b>
            <span>{one.reason}</span>
            <span className="zg-2">
              {one.filedName}
              {one.opinion && `；意见：${one.opinion}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Fence in the project details: picture, area, and a link to the editor. */
export function FenceCard({ projectCode }: { projectCode: string }) {
  const shown = useCall(getAreaRule, { query: { projectCode } }, { quiet: true })
  const [open, setOpen] = useState(false)
  const rings = ringsOf(shown.data?.areaRule)
  return (
    <Card
      title="电子围栏"
      remark={shown.data?.areaRule && `${shown.data.hectares.toFixed(2)} 公顷`}
      actions={<Button onClick={() => setOpen(true)}>{shown.data?.proposal ? '审定申请' : '查看与修改'}</Button>}
    >
      {shown.error ? (
        <ErrorPanel error={shown.error} retry={shown.refetch} />
      ) : rings.length > 0 ? (
        <SiteMap
          label="电子围栏"
          height={220}
          areas={rings.map((ring, i) => ({ id: `${i}`, ring, label: `${hectaresOf([ring]).toFixed(2)} 公顷`, kind: 'fence' as const }))}
        />
      ) : (
        <Empty small text={shown.data ? '未设围栏，移动打卡不核对位置' : '加载中'} />
      )}
      {open && <FenceDrawer projectCode={projectCode} onClose={() => setOpen(false)} />}
    </Card>
  )
}

export interface FenceInputProps {
  value?: Fence | null
  onChange?: (value: Fence | null) => void
  id?: string
  name: string
  address: readonly [lng: number, lat: number] | undefined
  sitePlan: unknown
}

/** Fence as a form field: its area, and a button that opens the editor. */
export function FenceInput({ value, onChange, id, name, address, sitePlan }: FenceInputProps) {
  const [draft, setDraft] = useState<ReturnType<typeof draftOf>>()
  const rings = ringsOf(value)
  return (
    <div id={id} className="org-fence-input">
      {rings.length > 0 ? `${hectaresOf(rings).toFixed(2)} 公顷，${rings.length} 圈` : <span className="zg-2">未设围栏</span>}
      <Button onClick={() => setDraft(draftOf(value ?? null))}>{rings.length > 0 ? '修改' : '绘制'}</Button>
      {draft && (
        <PageModal
          open
          width={1080}
          title="绘制电子围栏"
          okText="确定"
          okButtonProps={{ disabled: problemOf(draft) !== undefined }}
          onOk={() => {
            onChange?.(fenceOf(draft))
            setDraft(undefined)
          }}
          onCancel={() => setDraft(undefined)}
        >
          <FenceEditor
            draft={draft}
            onChange={setDraft}
            name={name}
            address={address}
            underlays={value ? [{ name: '现行围栏', rings: ringsOf(value), tone: 'now' }] : []}
            plan={planOutline(sitePlan)}
          />
        </PageModal>
      )}
    </div>
  )
}
