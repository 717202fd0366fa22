import { PrinterOutlined } from '@ant-design/icons'
import type { SessionDetail } from '@zhugong/contract/personnel/train-model'
import { changeSession, getSession } from '@zhugong/contract/personnel/training'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, NumberInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { AddPeople } from './session-add.tsx'
import { MarkTable } from './session-marks.tsx'
import { anyProject, SessionTag, sessionPaths } from './session-words.tsx'
import './personnel.css'
import './train-board.css'

const { Field } = formOf(changeSession)
type Body = BodyOf<typeof changeSession>

/** Hold a session: sign-in, marks, retests; later: prove that somebody was trained. */
export default function SessionPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择培训场次" hint="从项目安全培训打开一场">
          <Button onClick={() => go(sessionPaths.list)}>去项目安全培训</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Session key={id} id={id} />
    </div>
  )
}

function Session({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getSession, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const sheet = usePrint('trainingSheet')
  const cards = usePrint('trainingCard')
  const prints = useCan('personnel.export')
  const file = read.data
  return (
    <WorkItem
      title={file?.name}
      tags={file && <SessionTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '类型', value: file.typeName },
              { label: '时间', value: file.startTime.slice(0, 16) },
              { label: '学时', value: `${file.duration} 学时` },
              { label: '培训人', value: file.trainer },
            ]
          : []
      }
      actions={
        file &&
        prints && (
          <>
            <Button
              icon={<PrinterOutlined />}
              loading={sheet.running}
              onClick={() => void sheet.run({ body: { feature: 'trainingSheet', exportType: 'pdf', query: { id } } })}
            >
              打印签到表
            </Button>
            <Button
              loading={cards.running}
              disabled={file.workers.length === 0 || file.workers.length > mostCards}
              onClick={() =>
                void cards.run({
                  body: {
                    feature: 'trainingCard',
                    exportType: 'pdf',
                    query: { ids: file.workers.map((one) => one.projectWorkerId).join(',') },
                  },
                })
              }
            >
              打印三级教育卡
            </Button>
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
            <Handle key={file.version} file={file} />
            <Effects file={file} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.state === 'cancelled' && <Notice tone="warning">已取消：{file.cancelReason}</Notice>}
          {file.retest > 0 && <Notice tone="warning">{file.retest} 人不合格，待补考。</Notice>}
          <MarkTable key={file.version} file={file} />
          <Card title="培训内容">
            <p className="train-content">{file.content}</p>
            <Pairs
              items={[
                { label: '组织单位', value: file.corpName },
                { label: '地点', value: file.address },
              ]}
            />
            {file.files.length > 0 && <Papers files={file.files} name="附件" />}
          </Card>
        </>
      )}
    </WorkItem>
  )
}
const mostCards = 100

/** What the session brought about. */
function Effects({ file }: { file: SessionDetail }) {
  if (file.state !== 'closed') return null
  const may = file.workers.filter((one) => one.passed && one.entryTrained && !one.left).length
  return (
    <Card title="结果">
      <Pairs
        items={[
          { label: '参训', value: `${file.people} 人，签到 ${file.attended} 人` },
          { label: '合格', value: `${file.passed} 人` },
          { label: '补考合格', value: `${file.workers.filter((one) => one.retestAt && one.passed).length} 人` },
          { label: '可进场', value: `${may} 人，门禁随之授权` },
        ]}
      />
    </Card>
  )
}

type Open = 'add' | 'retest'

function Handle({ file }: { file: SessionDetail }) {
  const [open, setOpen] = useState<Open>()
  const may = useCan(changeSession, file)
  const act = useAct(changeSession, { success: '已办理' })
  const { id, version } = file
  const key = { params: { id }, query: anyProject }
  const isOpen = may && (file.state === 'planned' || file.state === 'due')
  const failed = file.workers.filter((one) => one.passed === false && !one.left)
  const cancel = async () => {
    const reason = await askReason(`取消培训 ${file.name}`, '取消原因')
    if (reason) await act.run({ ...key, body: { action: 'cancel', version, reason } })
  }
  const gate = async () => {
    const sure = await confirmDanger({
      thing: `按闸机记录为 ${file.name} 签到`,
      consequence: '名单内当天有过闸记录、尚未签到的人记为已签到。',
      verb: '按闸机签到',
    })
    if (sure) await act.run({ ...key, body: { action: 'signIn', version, way: 'gate' } })
  }
  const actions: ItemAction[] = [
    ...(isOpen ? [{ label: '增加人员', run: () => setOpen('add') }] : []),
    ...(isOpen && file.people > file.attended ? [{ label: '按闸机签到', main: true, run: gate }] : []),
    ...(may && file.state === 'closed' && failed.length > 0 ? [{ label: '补考登记', main: true, run: () => setOpen('retest') }] : []),
    ...(isOpen ? [{ label: '取消培训', danger: true, run: cancel }] : []),
  ]
  const none = file.state === 'cancelled' ? '已取消' : file.state === 'closed' ? '成绩已登记' : '没有登记培训的权限'
  return (
    <>
      <Handling remark={`${file.people} 人`} actions={actions} busy={act.running} none={none}>
        {isOpen && file.people > file.attended && <CardReader file={file} />}
      </Handling>
      {open === 'add' && <AddPeople file={file} onClose={() => setOpen(undefined)} />}
      {open === 'retest' && (
        <FormDrawer
          act={act}
          open
          narrow
          title="补考登记"
          remark={file.name}
          onClose={() => setOpen(undefined)}
          initial={{ action: 'retest', version, date: day(Date.now()), score: null }}
          input={(given) => {
            const { passed, ...fields } = given as unknown as Record<string, unknown>
            // Without a choice the field says what is missing.
            const result = passed === undefined ? undefined : passed === 'true'
            return { ...key, body: { ...fields, action: 'retest', version, passed: result } as Body }
          }}
        >
          <Field name="projectWorkerId" label="补考人">
            <Choice
              clear={false}
              options={failed.map((one) => ({
                value: one.projectWorkerId,
                label: `${one.name} ${one.teamName ?? ''} 原成绩 ${one.score ?? '--'}`,
              }))}
            />
          </Field>
          <Field name="date" label="补考日期">
            <DayInput max={day(Date.now())} />
          </Field>
          <Field name="score" label="补考成绩">
            <NumberInput min={0} max={100} />
          </Field>
          <Field name="passed" label="结果">
            <Choice
              clear={false}
              options={[
                { value: 'true', label: '合格' },
                { value: 'false', label: '不合格' },
              ]}
            />
          </Field>
        </FormDrawer>
      )}
    </>
  )
}
/** A card reader types the number and presses Enter. */
function CardReader({ file }: { file: SessionDetail }) {
  const id = useId()
  const [card, setCard] = useState('')
  const act = useAct(changeSession, { success: '已签到' })
  const send = async () => {
    if (!card.trim()) return
    const done = await act.run(
      {
        params: { id: file.id },
        query: anyProject,
        body: { action: 'signIn', version: file.version, way: 'card', card: card.trim() },
      },
      { fieldsShown: true },
    )
    if (done) setCard('')
  }
  return (
    <div>
      <label className="zg-label" htmlFor={id}>
        刷卡签到
      </label>
      <Input
        id={id}
        value={card}
        maxLength={50}
        placeholder="刷卡，或输入卡号后回车"
        status={act.fieldErrors.card ? 'error' : undefined}
        onChange={(event) => setCard(event.target.value)}
        onPressEnter={() => void send()}
      />
      {act.fieldErrors.card && <small className="tone-danger">{act.fieldErrors.card}</small>}
    </div>
  )
}
