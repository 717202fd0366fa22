import { certTypes } from '@zhugong/contract/personnel/codes'
import type { CertRow } from '@zhugong/contract/personnel/paper-model'
import { saveCert } from '@zhugong/contract/personnel/papers'
import { kindDictionaryOf } from '@zhugong/contract/personnel/rules'
import { Input } from 'antd'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { DependentFields, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, TreeChoice, Upload } from '#kit/inputs.tsx'

const { Field, useValue } = formOf(saveCert)

/** Registers or renews a certificate; both need the review of another person. */
export function CertDrawer({ workerId, row, onClose }: { workerId: string; row: Partial<CertRow>; onClose: () => void }) {
  const act = useAct(saveCert, { success: '已保存，待他人审核' })
  return (
    <FormDrawer
      open
      act={act}
      title={row.id ? '登记复审或修改' : '添加证书'}
      remark={row.name || undefined}
      initial={{ certType: '7', status: '1', files: [], ...row, workerId }}
      onClose={onClose}
    >
      <CertFields />
    </FormDrawer>
  )
}

/** Fields of a certificate, shared by all forms. */
export function CertFields() {
  const type = useValue('certType') ?? ''
  const kinds = kindDictionaryOf[type]
  const dicts = useDicts('certType', 'certStatus', 'certLevel', 'titleLevel', 'skillType', 'practiceType', 'specialCertType')
  return (
    <>
      <Field name="certType" label="证书类型">
        <TreeChoice tree={dicts.tree('certType')} />
      </Field>
      <Field name="name" label="证书名称">
        <Input maxLength={100} />
      </Field>
      {kinds && (
        <DependentFields why={`${dicts.name('certType', type)}须选类别；改选其他类型，这几项收起。`}>
          <Field name="specialType" label="类别" required>
            <TreeChoice tree={dicts.tree(kinds)} />
          </Field>
          {type === certTypes.skill && (
            <Field name="level" label="等级" required>
              <Choice options={dicts.options('certLevel')} />
            </Field>
          )}
        </DependentFields>
      )}
      {type === certTypes.title && (
        <Field name="level" label="等级">
          <Choice options={dicts.options('titleLevel')} />
        </Field>
      )}
      <Field name="certNo" label="证书编号">
        <Input maxLength={50} />
      </Field>
      <Field name="grantOrg" label="发证机关">
        <Input maxLength={100} />
      </Field>
      <Field name="issueDate" label="发证日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="validEnd" label="有效期至" help={type === certTypes.special ? '不填为发证日起两年' : '不填为长期'}>
        <DayInput />
      </Field>
      <Field name="firstIssueDate" label="初次发证日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="status" label="证书状态">
        <Choice clear={false} options={dicts.options('certStatus')} />
      </Field>
      <Field name="files" label="证书照片" span="all" help="保存后待他人审核，审核通过前原证继续计算">
        <Upload max={6} accept="image/*,application/pdf" camera="environment" />
      </Field>
    </>
  )
}
