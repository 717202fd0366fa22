import { type Library, saveLibrary } from '@zhugong/contract/experts/library'
import { Checkbox, Input } from 'antd'
import { useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { NumberInput } from '#kit/inputs.tsx'

const { Field } = formOf(saveLibrary)

/** Rules of the own library; the first saving opens it. */
export function LibraryDrawer({ library, onClose }: { library: Library | undefined; onClose: () => void }) {
  const act = useAct(saveLibrary, { success: '专家库设置已保存' })
  const own = library?.own ? library : undefined
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="专家库设置"
      initial={own ?? { name: '', isOpen: true, maxAge: 65, leastYears: 15, termYears: 3, coolDays: 30, hideNames: true, version: 0 }}
      input={(body: BodyOf<typeof saveLibrary>) => ({ query: { projectCode: '*' }, body: { ...body, version: own?.version ?? 0 } })}
      onClose={onClose}
    >
      {!own && <Notice tone="info">本机构还没有专家库。保存后建立，本地区的项目和企业可从中抽取。</Notice>}
      <Field name="name" label="名称" required>
        <Input maxLength={50} />
      </Field>
      <Field name="maxAge" label="年龄上限" required>
        <NumberInput unit="周岁" min={50} max={80} />
      </Field>
      <Field name="leastYears" label="专业工作年限" required>
        <NumberInput unit="年以上" min={0} max={40} />
      </Field>
      <Field name="termYears" label="聘期" required>
        <NumberInput unit="年" min={1} max={5} />
      </Field>
      <Field name="coolDays" label="轮换间隔" required help="参加一次后，间隔期内不再进入候选；0 为不限">
        <NumberInput unit="日" min={0} max={180} />
      </Field>
      <Field name="isOpen" valueName="checked" label="公开申请">
        <Checkbox>接受网上入库申请</Checkbox>
      </Field>
      <Field name="hideNames" valueName="checked" label="名单保密">
        <Checkbox>企业和项目抽取的名单，会议当天才向其公开</Checkbox>
      </Field>
    </FormDrawer>
  )
}
