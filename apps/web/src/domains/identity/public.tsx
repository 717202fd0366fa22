import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { changePassword } from '@zhugong/contract/identity/endpoints'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useMe } from '#kit/me.ts'
import { passwordRules } from './password-rules.ts'

export { AgainDialog } from './again-dialog.tsx'
export { ContactDialog } from './contact-dialog.tsx'

/** 修改密码. `forced` after the first login and after a reset: no other page opens before. */
export function PasswordDialog({ forced, onClose }: { forced: boolean; onClose: () => void }) {
  const info = useMe((me) => me.info)
  const [oldPassword, setOld] = useState('')
  const [newPassword, setNew] = useState('')
  const [again, setAgain] = useState('')
  const act = useAct(changePassword, {
    success: '密码已修改',
    onDone: () => {
      const { info: now } = useMe.getState()
      if (now) useMe.setState({ info: { ...now, mustChangePassword: false } })
      onClose()
    },
  })
  const rules = passwordRules(newPassword, info?.account ?? '')
  const differs = again !== '' && again !== newPassword
  const ready = oldPassword !== '' && rules.every((rule) => rule.met) && again === newPassword
  const save = () => act.run({ body: { oldPassword, newPassword } }, { fieldsShown: true })
  const field = (id: string, label: string, value: string, set: (text: string) => void, complete: string, fault?: string) => (
    <div className="zg-below-12">
      <label htmlFor={id} className="zg-14">
        {label}
      </label>
      <Input.Password
        id={id}
        value={value}
        maxLength={128}
        autoComplete={complete}
        status={fault ? 'error' : undefined}
        onChange={(event) => set(event.target.value)}
        onPressEnter={() => ready && void save()}
      />
      {fault && <div className="tone-danger">{fault}</div>}
    </div>
  )
  return (
    <Modal
      open
      centered
      width={400}
      title={forced ? '请先修改密码' : '修改密码'}
      closable={!forced}
      mask={{ closable: false }}
      keyboard={!forced}
      onCancel={onClose}
      footer={
        <>
          {!forced && <Button onClick={onClose}>取消</Button>}
          <Button type="primary" disabled={!ready} loading={act.running} onClick={() => void save()}>
            保存
          </Button>
        </>
      }
    >
      {field('old-password', '原密码', oldPassword, setOld, 'current-password', act.fieldErrors.oldPassword)}
      {field('new-password', '新密码', newPassword, setNew, 'new-password', act.fieldErrors.newPassword)}
      <ul className="zg-bare-list zg-below-12 zg-small" aria-live="polite">
        {rules.map((rule) => (
          <li key={rule.text} className={rule.met ? 'tone-fine' : 'zg-2'}>
            {rule.met ? <CheckCircleFilled /> : <MinusCircleOutlined />} {rule.text}
          </li>
        ))}
      </ul>
      {field('again-password', '再输一次新密码', again, setAgain, 'new-password', differs ? '两次输入不一致' : undefined)}
    </Modal>
  )
}
