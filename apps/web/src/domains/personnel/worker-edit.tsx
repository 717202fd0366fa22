import type { WorkerDetail } from '@zhugong/contract/personnel/worker-model'
import { fillWorker, updateWorker } from '@zhugong/contract/personnel/workers'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, ErrorPanel } from '#kit/feedback.tsx'
import { FieldGroup, FormPage } from '#kit/form.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { LackingFields, ToField } from './formal-field.tsx'
import { ConsentFields, ContactFields, PaperFields, PersonFields } from './person-fields.tsx'

/** Edits the file of a known person. The identity itself is corrected elsewhere, with a reason. */
export function EditForm({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(fillWorker, { params: { id } }, { quiet: true, staleMs: 0 })
  const act = useAct(updateWorker, { onDone: () => page.leave() })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const w = read.data
  return (
    <FormPage
      act={act}
      title={w ? `编辑 ${w.name}` : '编辑人员'}
      loading={!w}
      initial={w ? initialOf(w) : {}}
      input={(body) => ({ params: { id }, body })}
      aside={
        w && (
          <Card
            title="身份"
            remark="更正须写明事由"
            actions={<Link to={hrefOf('/personnelSystem/info/basic', { id })}>更正身份</Link>}
            flush
          >
            <dl className="per-lines per-lines-first">
              <div>
                <dt>姓名</dt>
                <dd>{w.name}</dd>
              </div>
              <div>
                <dt>证件号码</dt>
                <dd className="zg-num">{w.idCardNumber}</dd>
              </div>
              <div>
                <dt>性别年龄</dt>
                <dd>
                  {w.genderName} {w.age} 岁
                </dd>
              </div>
              <div>
                <dt>籍贯</dt>
                <dd>{w.birthPlaceName ?? '--'}</dd>
              </div>
            </dl>
            {w.incomplete.length > 0 && (
              <div className="tone-warning zg-pad-below">
                待完善：
                <LackingFields names={w.incomplete} workerId={id} />
              </div>
            )}
          </Card>
        )
      }
    >
      <ToField />
      <FieldGroup title="证件" remark="遮盖的内容不填则保持不变">
        <PaperFields kept={w?.address} />
      </FieldGroup>
      <FieldGroup title="联系与紧急联系">
        <ContactFields kept={w} />
      </FieldGroup>
      <FieldGroup title="个人">
        <PersonFields />
      </FieldGroup>
      <FieldGroup title="照片与同意" remark="转正式前须同意个人信息处理">
        <ConsentFields />
      </FieldGroup>
    </FormPage>
  )
}

/** Encrypted fields start empty and change only if filled in. */
function initialOf(w: WorkerDetail): Record<string, unknown> {
  const own = [
    'nation',
    'grantOrg',
    'startDate',
    'expiryDate',
    'politics',
    'cultureLevel',
    'degree',
    'maritalStatus',
    'isJoined',
    'joinedTime',
    'specialty',
    'workTypeCode',
    'workCorpName',
    'workDate',
    'skillLevel',
    'urgentLinkMan',
    'hasBadMedicalHistory',
    'version',
  ] as const
  return {
    ...Object.fromEntries(own.map((key) => [key, w[key]])),
    headImage: w.headImage ? [w.headImage] : undefined,
    facePhoto: w.facePhoto ? [w.facePhoto] : undefined,
    consents: w.consents,
  }
}
