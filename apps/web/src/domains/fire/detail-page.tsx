import { PrinterOutlined } from '@ant-design/icons'
import { changeFire, type FireDetail, getFire, removeFire } from '@zhugong/contract/fire/calls'
import { fireStates } from '@zhugong/contract/fire/moves'
import { signFire } from '@zhugong/contract/fire/seats'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { ApplyForm } from './apply-form.tsx'
import { AssignDrawer } from './assign-drawer.tsx'
import { type CaseAction, CaseDrawer } from './case-drawer.tsx'
import { Applied, Problems, Result } from './case-views.tsx'
import { CheckTables } from './check-tables.tsx'
import { anyProject, Deadline, FireTag, paths } from './fire-words.tsx'
import { useArrive } from './use-arrive.ts'
import './fire.css'

/** The applicant fills in (`?mode=apply`), the assessors check on the site and see the verdict grow, the leader signs. */
export default function FireDetailPage() {
  const query = usePageQuery()
  const go = useGo()
  const id = query.get('id')
  if (query.get('mode') === 'apply') return <ApplyForm key={id ?? 'new'} id={id} />
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择申请" hint="从消防现场评定列表打开一件">
          <Button onClick={() => go(paths.list)}>去消防现场评定</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Case key={id} id={id} />
    </div>
  )
}

type View = 'apply' | 'papers' | 'check' | 'problems' | 'result' | 'course'

function Case({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('fireOpinion')
  const tables = usePrint('fireTables')
  const read = useCall(getFire, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  const file = read.data
  const [chosen, setChosen] = useState<View>()
  const view =
    chosen ?? (file?.state === fireStates.onSite && file.internal ? 'check' : file && file.rounds.length > 0 ? 'result' : 'apply')
  return (
    <WorkItem
      title={file && (file.code ?? `${file.projectName}（${file.stateName}）`)}
      tags={
        file && (
          <>
            <FireTag row={file} />
            {file.special && <Tag tone="warning">特殊建设工程</Tag>}
            {file.submitted && <Tag tone="running">待签发</Tag>}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '申请单位', value: file.applyCorp },
              { label: '办理时限', value: <Deadline row={file} /> },
              { label: '评定人员', value: file.assessors.join('、') },
              { label: '要点目录', value: file.catalogue },
            ]
          : []
      }
      actions={
        file && (
          <>
            {file.rounds.length > 0 && (
              <Button
                icon={<PrinterOutlined />}
                loading={tables.running}
                onClick={() => void tables.run({ body: { feature: 'fireTables', exportType: 'pdf', query: { id } } })}
              >
                检查表
              </Button>
            )}
            {file.rounds.some((one) => one.issuedAt) && (
              <Button
                icon={<PrinterOutlined />}
                loading={print.running}
                onClick={() => void print.run({ body: { feature: 'fireOpinion', exportType: 'pdf', query: { id } } })}
              >
                意见书
              </Button>
            )}
          </>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Acts file={file} onCheck={() => setChosen('check')} />
            <SignaturesCard rows={file.signatures} call={signFire} id={file.id} />
            <Course lines={file.timeline} bad={['refuse', 'terminate', 'sendBack']} />
          </>
        )
      }
    >
      {file && (
        <>
          <Segmented options={viewsOf(file)} value={view} onChange={(next) => setChosen(next)} />
          {view === 'apply' && <Applied file={file} />}
          {view === 'papers' && (
            <Card title="申请材料" remark={`${file.materials.length} 件`}>
              {file.materials.length > 0 ? <Papers files={file.materials} name="申请材料" /> : <Empty small text="没有材料" />}
            </Card>
          )}
          {view === 'check' && <CheckTables file={file} />}
          {view === 'problems' && <Problems file={file} />}
          {view === 'result' && <Result file={file} />}
        </>
      )}
    </WorkItem>
  )
}

function viewsOf(file: FireDetail): { value: View; label: string }[] {
  const open = file.buildRows.reduce((n, one) => n + (one.judged ? one.judged.subsTotal - one.judged.subsDone : 0), 0)
  return [
    { value: 'apply', label: '申请信息' },
    { value: 'papers', label: `申请材料 ${file.materials.length}` },
    { value: 'check', label: open > 0 ? `单体与检查表 ${open}` : '单体与检查表' },
    { value: 'problems', label: `问题 ${file.problems.length}` },
    { value: 'result', label: '结论与意见书' },
  ]
}

function Acts({ file, onCheck }: { file: FireDetail; onCheck: () => void }) {
  const go = useGo()
  const page = usePage()
  const [asked, setAsked] = useState<CaseAction>()
  const [assigning, setAssigning] = useState(false)
  const act = useAct(changeFire, { success: '已办理' })
  const removal = useAct(removeFire, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const arrive = useArrive(file, onCheck)
  const key = { params: { id: file.id }, query: anyProject }
  const { version } = file
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const plain = (action: 'withdraw' | 'accept' | 'conclude' | 'acceptRecheck', main = true): ItemAction[] =>
    may(action)
      ? [
          {
            label: file.actions.find((one) => one.action === action)?.label ?? '',
            main,
            run: () => act.run({ ...key, body: { action, version } }),
          },
        ]
      : []
  const opens = (action: CaseAction, main = false): ItemAction[] =>
    may(action) ? [{ label: file.actions.find((one) => one.action === action)?.label ?? '', main, run: () => setAsked(action) }] : []
  const reasoned = (action: 'terminate' | 'sendBack' | 'askPapers', label: string, danger = false): ItemAction[] =>
    may(action)
      ? [
          {
            label: file.actions.find((one) => one.action === action)?.label ?? '',
            danger,
            run: async () => {
              const opinion = await askReason(`${file.projectName} ${label}`, label)
              if (opinion) await act.run({ ...key, body: { action, version, opinion } })
            },
          },
        ]
      : []
  const actions: ItemAction[] = [
    ...(may('submit') ? [{ label: '继续填写', main: true, run: () => go(paths.detail, { id: file.id, mode: 'apply' }) }] : []),
    ...plain('accept'),
    ...plain('acceptRecheck'),
    ...(may('assign') ? [{ label: '派组', main: file.assessors.length === 0, run: () => setAssigning(true) }] : []),
    ...(may('start') ? [{ label: '开始评定', main: true, run: arrive.run }] : []),
    ...plain('conclude'),
    ...opens('issue', true),
    ...opens('givePapers', true),
    ...opens('recheck', true),
    ...opens('refuse'),
    ...opens('postpone'),
    ...reasoned('askPapers', '须补正的材料'),
    ...reasoned('sendBack', '退回原因'),
    ...plain('withdraw', false),
    ...reasoned('terminate', '终止原因', true),
    ...(may('save') && file.state === fireStates.draft
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () =>
              removal.afterRequesting(
                { thing: `删除 ${file.projectName} 的申请草稿`, consequence: '草稿不再保留。', verb: '删除草稿' },
                key,
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <Handling
        remark={file.stateName}
        actions={actions}
        busy={act.running || removal.running || arrive.running}
        none={file.mine ? '逐项检查，完成并签名后提交' : `${file.stateName}，现在没有需要您办理的事项`}
      />
      {assigning && <AssignDrawer row={file} onClose={() => setAssigning(false)} />}
      {asked && <CaseDrawer asked={asked} file={file} onClose={() => setAsked(undefined)} />}
    </>
  )
}
