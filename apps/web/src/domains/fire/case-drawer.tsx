import { changeFire, type FireDetail } from '@zhugong/contract/fire/calls'
import { mostFirePhotos } from '@zhugong/contract/fire/moves'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { anyProject, VerdictTag } from './fire-words.tsx'

const { Field, FieldList } = formOf(changeFire)
type Body = BodyOf<typeof changeFire>
const mostPapers = 20
const anyFile = 'image/*,.pdf,.dwg,.zip,.doc,.docx,.xls,.xlsx'

const titles = { refuse: '不予受理', postpone: '改期', givePapers: '提交补正', issue: '签发意见书', recheck: '申请复评' } as const
export type CaseAction = keyof typeof titles

/** The fields of one action. */
export function CaseDrawer({ asked, file, onClose }: { asked: CaseAction; file: FireDetail; onClose: () => void }) {
  const act = useAct(changeFire, { success: '已办理' })
  const dicts = useDicts('fireNoAcceptReason')
  const { version } = file
  const failing = file.problems.filter((one) => one.round === file.round && one.failing)
  const last = file.rounds.at(-1)
  return (
    <FormDrawer
      act={act}
      open
      narrow
      title={titles[asked]}
      remark={file.projectName}
      saveText={titles[asked]}
      onClose={onClose}
      initial={{
        action: asked,
        version,
        ...(asked === 'givePapers' ? { materials: [] } : {}),
        ...(asked === 'postpone' ? { assessDate: file.assessDate ?? undefined } : {}),
        ...(asked === 'issue' ? { opinion: proposed(file) } : {}),
        ...(asked === 'recheck' ? { proofs: failing.map((one) => ({ pointId: one.pointId, note: '', files: [] })) } : {}),
      }}
      input={(body) => ({ params: { id: file.id }, query: anyProject, body: { ...(body as object), action: asked, version } as Body })}
    >
      {asked === 'refuse' && (
        <Field name="noAcceptReason" label="不予受理原因" span="all">
          <Choice clear={false} options={dicts.options('fireNoAcceptReason')} />
        </Field>
      )}
      {asked === 'postpone' && (
        <Field name="assessDate" label="评定日期" span="all">
          <DayInput />
        </Field>
      )}
      {asked === 'issue' && last && (
        <div className="zg-span-all">
          <Notice tone={last.verdict === 'fail' ? 'danger' : 'info'}>
            推定结论 <VerdictTag verdict={last.verdict} /> {last.line}。结论由要点推定，不能更改；有不同意见时写在下面，结论不变。
          </Notice>
        </div>
      )}
      {asked === 'recheck' ? (
        <FieldList name="proofs" add="加一处" max={failing.length}>
          {({ index, name }) => (
            <div className="fire-proof">
              <p>
                {index + 1}. <b>{failing[index]?.buildName}</b> {failing[index]?.itemName}（{failing[index]?.checkPart}）：
                {failing[index]?.description}
              </p>
              <Field name={name('note')} label="整改说明" span="all">
                <LongText rows={2} />
              </Field>
              <Field name={name('files')} label="整改后照片" span="all" required>
                <Upload max={mostFirePhotos} />
              </Field>
            </div>
          )}
        </FieldList>
      ) : (
        <Field name="opinion" label={labels[asked]} span="all">
          <LongText rows={asked === 'issue' ? 5 : 3} />
        </Field>
      )}
      {asked === 'issue' && (
        <Field name="remark" label="不同意见" span="all" help="只作备注">
          <LongText rows={2} />
        </Field>
      )}
      {asked === 'givePapers' && (
        <Field name="materials" label="补正材料" span="all" required>
          <Upload max={mostPapers} accept={anyFile} />
        </Field>
      )}
    </FormDrawer>
  )
}
const labels: Readonly<Record<Exclude<CaseAction, 'recheck'>, string>> = {
  refuse: '缺少或不符的材料',
  postpone: '改期原因',
  givePapers: '补正说明',
  issue: '评定意见',
}

function proposed(file: FireDetail): string {
  const last = file.rounds.at(-1)
  const failed = [
    ...new Set(file.problems.filter((one) => one.round === file.round && one.failing).map((one) => `${one.buildName}${one.subName}`)),
  ]
  return last?.verdict === 'fail'
    ? `经现场评定，${failed.join('、')}不合格，综合结论为不合格。请整改完成后申请复评。`
    : '经现场评定，各单体、各项目均合格，综合结论为合格。'
}
