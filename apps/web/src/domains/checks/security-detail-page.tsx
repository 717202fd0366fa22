import { PrinterOutlined } from '@ant-design/icons'
import type { PatrolDetail } from '@zhugong/contract/checks/patrol'
import { signSecurityCheck } from '@zhugong/contract/checks/seats'
import { changeSecurityCheck, getSecurityCheck, removeSecurityCheck } from '@zhugong/contract/checks/security-check'
import { createMeasure } from '@zhugong/contract/measures/measures'
import { getRectify } from '@zhugong/contract/rectify/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { WorkItem } from '#kit/work-item.tsx'
import { NoticeHandling, NoticeProblems } from '../rectify/public.tsx'
import { Course, DraftHandling, Earlier, Facts, Notices, removalOf, Written, writtenProblem } from './patrol-parts.tsx'
import { anyProject, Deadline, LevelTag, paths, StateTag } from './security-words.tsx'
import './checks.css'

/** What is mine to do now? A round with its problems; each notice is handled here, on the phone in one column. */
export default function SecurityDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择安全检查" hint="从安全检查列表打开一次">
          <Button onClick={() => go(paths.list)}>去安全检查列表</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Round key={id} id={id} />
    </div>
  )
}

const draftState = '0'

function Round({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getSecurityCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('securityCheckSheet')
  const file = read.data
  const [chosen, setChosen] = useState<string>()
  const notice = chosen ?? file?.notices[0]?.id
  // The first notice belongs to what the page shows: without it everything below would move when it arrives.
  const first = useCall(getRectify, { params: { id: notice ?? '' } }, { quiet: true, staleMs: 0, enabled: notice !== undefined })
  const waits = !file || (notice !== undefined && chosen === undefined && first.isPending)
  return (
    <WorkItem
      title={file && (file.code ?? '安全检查草稿')}
      tags={file && <StateTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '部位', value: file.part },
              { label: '等级', value: <LevelTag row={file} /> },
              { label: '期限', value: <Deadline row={file} />, tone: file.overdueDays ? 'danger' : undefined },
              { label: '问题', value: file.problemCount ? `闭合 ${file.passedCount} / ${file.problemCount}` : '未发现' },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'securityCheckSheet', exportType: 'pdf', query: { id } } })}
          >
            打印记录表
          </Button>
        )
      }
      waiting={waits}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            {file.state === draftState ? <Draft file={file} /> : notice && <NoticeHandling id={notice} />}
            <Course file={file} />
            <Earlier file={file} detail={paths.detail} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.overdueDays > 0 && <Notice tone="danger">最早的期限已过 {file.overdueDays} 天。</Notice>}
          <Notices file={file} chosen={notice} onChoose={setChosen} />
          {file.state === draftState ? <Written file={file} /> : notice && <NoticeProblems key={notice} id={notice} />}
          {file.problemCount > 0 && file.state !== draftState && <IntoMeasure file={file} />}
          {file.state !== draftState && <SignaturesCard rows={file.signatures} call={signSecurityCheck} id={file.id} />}
          <Facts file={file} />
        </>
      )}
    </WorkItem>
  )
}

function Draft({ file }: { file: PatrolDetail }) {
  const page = usePage()
  const submit = useAct(changeSecurityCheck, { success: '已提交' })
  const removal = useAct(removeSecurityCheck, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const { id, version, part, placeId, remark, photos, checkers } = file
  const body = { version, part, placeId, remark, photos, checkers, problems: file.problems.map(writtenProblem) }
  const key = { params: { id }, query: anyProject }
  return (
    <DraftHandling
      file={file}
      add={paths.add}
      busy={submit.running || removal.running}
      submit={() => submit.run({ ...key, body: { action: 'submit', ...body } })}
      remove={() => removal.afterRequesting(removalOf(part), key)}
    />
  )
}

/** Problems that come again call for a measure instead of one more order. */
function IntoMeasure({ file }: { file: PatrolDetail }) {
  const go = useGo()
  return (
    <Can call={createMeasure}>
      <Card title="反复出现的问题" remark="同类问题屡改屡犯时，编制一项专项措施">
        <ul className="check-lines">
          {file.problems.map((one) => (
            <li key={one.id} className="zg-row zg-middle zg-gap-6">
              <span>
                {one.part}：{one.description}
              </span>
              <Button onClick={() => go('/addsafetyMeasures', { by: 'item', key: one.itemCode ?? one.description })}>转为专项措施</Button>
            </li>
          ))}
        </ul>
      </Card>
    </Can>
  )
}
