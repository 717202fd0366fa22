import { createExamine, examineProposal, getExamine } from '@zhugong/contract/examine/calls'
import { rounds } from '@zhugong/contract/examine/rhythm'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, Forbidden } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { PageShell, PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { useUnsaved } from '#kit/unsaved.ts'
import { ExamineDesk, headTab } from './examine-desk.tsx'
import { anyProject, draftState, paths } from './examine-words.tsx'
import { type Corps, type Head, HeadFields, type Proposal } from './head-fields.tsx'

/** The check leader with his tablet, item by item. `?id=` goes on with a draft. */
export default function ExamineCreatePage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  return (
    <Can call={createExamine} fallback={<Forbidden code="safety-management.edit" />}>
      {id ? (
        <Running key={id} id={id} />
      ) : projectCode === '*' ? (
        <ProjectPicker why="检查哪个项目" />
      ) : (
        <Begin key={projectCode} projectCode={projectCode} />
      )}
    </Can>
  )
}

function Begin({ projectCode }: { projectCode: string }) {
  const read = useCall(examineProposal, { query: { projectCode } }, { quiet: true, offline: true })
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  return <NewHead projectCode={projectCode} proposal={read.data} corps={people.data?.corps ?? []} />
}

function NewHead({ projectCode, proposal, corps }: { projectCode: string; proposal: Proposal; corps: Corps }) {
  const page = usePage()
  const [id] = useState(() => uid())
  const [initial] = useState<Head>(() => ({
    round: rounds.weekly,
    checkTime: time(Date.now()),
    checkers: [],
    part: proposal.last?.part ?? '全场',
    remark: null,
    corpCodes: [],
    sheets: proposal.sheets.filter((one) => one.proposed).map(({ code }) => ({ sheetCode: code, label: '' })),
  }))
  const [head, setHead] = useState(initial)
  useUnsaved(head !== initial, page.cacheKey, '项目安全检查')
  const act = useAct(createExamine, { success: '已开始，逐项检查', onDone: () => page.leave(hrefOf(paths.form, { id })) })
  const { last } = proposal
  return (
    <div className="zg-page">
      <PageTitle
        title="项目安全检查"
        remark="按 JGJ 59 检查表自查"
        actions={
          last && (
            <Button
              onClick={() =>
                setHead({
                  ...head,
                  checkers: last.checkers,
                  part: last.part,
                  sheets: last.sheets.map(({ sheetCode, label }) => ({ sheetCode, label })),
                })
              }
            >
              复制上次范围（{last.checkTime.slice(0, 10)}）
            </Button>
          )
        }
      />
      <div className="check-field">
        <div>
          <HeadFields
            value={head}
            proposal={proposal}
            corps={corps}
            faults={act.fieldErrors}
            onChange={(more) => setHead({ ...head, ...more })}
          />
        </div>
      </div>
      <div className="check-bar">
        <Button
          type="primary"
          size="large"
          loading={act.running}
          disabled={head.sheets.length === 0}
          onClick={() =>
            void act.run({ query: { projectCode }, body: { id, action: 'save', ...head, problems: [] } }, { fieldsShown: true })
          }
        >
          开始检查
        </Button>
      </div>
    </div>
  )
}

function Running({ id }: { id: string }) {
  const go = useGo()
  const [shown, setShown] = useState<string>()
  const read = useCall(getExamine, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  const file = read.data
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!file) return <DetailSkeleton />
  if (file.state !== draftState)
    return (
      <PageShell>
        <Empty text="这次检查已经提交，得分已冻结" hint={file.code ?? ''}>
          <Button onClick={() => go(paths.detail, { id })}>查看结果</Button>
        </Empty>
      </PageShell>
    )
  const first = file.sheets.find((one) => !one.done)?.id ?? headTab
  return <ExamineDesk key={file.version} file={file} shown={shown ?? first} onShow={setShown} />
}
