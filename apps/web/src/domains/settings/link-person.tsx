import { linkMyPerson } from '@zhugong/contract/settings/my-person'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Empty } from '#kit/feedback.tsx'
import { Field, FormDrawer } from '#kit/form.tsx'

/** Name, number and phone must be the file's: the name is the account's, which its owner cannot change. */
export function LinkPersonDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(linkMyPerson, { success: '已关联实名档案' })
  return (
    <FormDrawer
      open
      act={act}
      schema={linkMyPerson.schemas.body}
      title="关联我的实名档案"
      remark="姓名以账号为准，须与档案一致"
      narrow
      width={440}
      onClose={onClose}
      saveText="关联"
    >
      <Field name="idCardNumber" label="证件号码" span="all" help="只用于核对，不另存">
        <Input autoComplete="off" />
      </Field>
      <Field name="cellPhone" label="档案登记的手机号" span="all">
        <Input autoComplete="off" maxLength={11} />
      </Field>
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
    </FormDrawer>
  )
}

/** An account without a file: what would stand here, and the way to it. */
export function NoPerson({ shows }: { shows: ReactNode }) {
  const [linking, setLinking] = useState(false)
  return (
    <>
      <Empty text="账号尚未关联实名档案" hint={shows}>
        <Button type="primary" onClick={() => setLinking(true)}>
          关联我的实名档案
        </Button>
      </Empty>
      {linking && <LinkPersonDrawer onClose={() => setLinking(false)} />}
    </>
  )
}
