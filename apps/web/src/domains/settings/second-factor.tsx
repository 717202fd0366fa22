import { logout } from '@zhugong/contract/identity/endpoints'
import {
  beginSecondFactor,
  confirmSecondFactor,
  getMyAccount,
  recoveryCodeCount,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@zhugong/contract/identity/my-account'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Input, Modal, QRCode } from 'antd'
import { useState } from 'react'
import { call, refresh, useAct } from '#kit/call.ts'
import { Empty, Notice } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { notify } from '#kit/notify.ts'
import { loseSession } from '#kit/session.ts'
import type { Account } from './my-account.ts'
import './settings.css'

const { Field } = formOf(beginSecondFactor, confirmSecondFactor, renewRecoveryCodes)

type Step =
  | { is: 'begin' }
  | { is: 'scan'; shown: OutputFor<typeof beginSecondFactor> }
  | { is: 'codes'; codes: readonly string[] }
  | { is: 'renew' }
  | { is: 'remove' }

/** The only page available to an account without the second factor that its group requires. */
export function FactorSetup({ onDone }: { onDone: () => void }) {
  const [step, setStep] = useState<Step>()
  const leave = () =>
    void call(logout)
      .catch(() => undefined)
      .then(() => loseSession('logout'))
  return (
    <div className="set-gate">
      <Empty text="本单位要求启用动态口令" hint="以后登录时，除密码外另输手机验证器上的 6 位数字；启用之前不能使用其他功能">
        <Button type="primary" onClick={() => setStep({ is: 'begin' })}>
          启用动态口令
        </Button>
        <Button onClick={leave}>退出登录</Button>
      </Empty>
      <Steps step={step} go={setStep} onDone={onDone} />
    </div>
  )
}

/** State of the second factor in the account settings, with its dialogs. */
export function SecondFactorLine({ account }: { account: Account }) {
  const [step, setStep] = useState<Step>()
  const { on, recoveryLeft } = account.secondFactor
  const close = () => {
    setStep(undefined)
    refresh(getMyAccount)
  }
  return (
    <div className="set-line">
      <dt>动态口令</dt>
      <dd>
        {on ? `已启用，剩 ${recoveryLeft} 个恢复码` : '未启用：登录只凭密码'}
        <div className="zg-2">登录时另输手机验证器上的 6 位数字；手机丢失时用恢复码</div>
      </dd>
      <dd className="acts">
        {on ? (
          <>
            <Button onClick={() => setStep({ is: 'renew' })}>重新生成恢复码</Button>
            <Button danger onClick={() => setStep({ is: 'remove' })}>
              停用
            </Button>
          </>
        ) : (
          <Button onClick={() => setStep({ is: 'begin' })}>启用</Button>
        )}
        <Steps step={step} go={setStep} onDone={close} />
      </dd>
    </div>
  )
}

/** One dialog at a time; `onDone` is called after the last. */
function Steps({ step, go, onDone }: { step: Step | undefined; go: (step?: Step) => void; onDone: () => void }) {
  const leave = () => go(undefined)
  const showCodes = (codes: readonly string[]) => go({ is: 'codes', codes })
  switch (step?.is) {
    case 'begin':
      return <Begin onShown={(shown) => go({ is: 'scan', shown })} onClose={leave} />
    case 'scan':
      return <Scan shown={step.shown} onDone={showCodes} onClose={leave} />
    case 'codes':
      return <Codes codes={step.codes} onClose={onDone} />
    case 'renew':
      return <Renew onDone={showCodes} onClose={leave} />
    case 'remove':
      return <Remove onClose={onDone} />
    default:
      return null
  }
}

/** Defers the next dialog, because the drawer closes itself after saving. */
const next = (go: () => void) => () => void setTimeout(go)

function Begin({ onShown, onClose }: { onShown: (shown: OutputFor<typeof beginSecondFactor>) => void; onClose: () => void }) {
  const act = useAct(beginSecondFactor, { success: false, refreshes: [], onDone: (shown) => next(() => onShown(shown))() })
  return (
    <FormDrawer open act={act} title="启用动态口令" narrow width={420} onClose={onClose} saveText="下一步">
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
    </FormDrawer>
  )
}

function Scan({
  shown,
  onDone,
  onClose,
}: {
  shown: OutputFor<typeof beginSecondFactor>
  onDone: (codes: string[]) => void
  onClose: () => void
}) {
  const act = useAct(confirmSecondFactor, {
    success: '动态口令已启用',
    refreshes: [],
    onDone: ({ recoveryCodes }) => next(() => onDone(recoveryCodes))(),
  })
  return (
    <FormDrawer open act={act} title="启用动态口令" narrow width={520} onClose={onClose} saveText="启用">
      <div className="set-enrol zg-span-all">
        <QRCode value={shown.uri} size={176} />
        <div>
          用手机验证器（如 FreeOTP、Microsoft Authenticator）扫描；不能扫描时手工输入密钥：
          <code>{shown.secret}</code>
        </div>
      </div>
      <Field name="code" label="验证器显示的 6 位数字" span="all">
        <Input inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
      </Field>
    </FormDrawer>
  )
}

function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const copy = () => void navigator.clipboard.writeText(codes.join('\n')).then(() => notify.success('已复制'))
  return (
    <Modal
      open
      centered
      width={440}
      title="恢复码"
      mask={{ closable: false }}
      closable={false}
      footer={
        <>
          <Button onClick={copy}>复制</Button>
          <Button type="primary" onClick={onClose}>
            我已保存
          </Button>
        </>
      }
    >
      <Notice tone="warning">只显示这一次。每个恢复码可代替动态口令登录一次，请抄写并离线保存。</Notice>
      <ol className="set-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </Modal>
  )
}

function Renew({ onDone, onClose }: { onDone: (codes: string[]) => void; onClose: () => void }) {
  const act = useAct(renewRecoveryCodes, {
    success: `已生成 ${recoveryCodeCount} 个新恢复码，旧的作废`,
    refreshes: [],
    onDone: ({ recoveryCodes }) => next(() => onDone(recoveryCodes))(),
  })
  return (
    <FormDrawer open act={act} title="重新生成恢复码" narrow width={420} onClose={onClose} saveText="生成">
      <PasswordAndCode />
    </FormDrawer>
  )
}

function Remove({ onClose }: { onClose: () => void }) {
  const act = useAct(removeSecondFactor, { success: '动态口令已停用', refreshes: [getMyAccount] })
  return (
    <FormDrawer open act={act} title="停用动态口令" narrow width={420} onClose={onClose} saveText="停用">
      <PasswordAndCode help="动态口令，或一个恢复码" />
    </FormDrawer>
  )
}

function PasswordAndCode({ help }: { help?: string }) {
  return (
    <>
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
      <Field name="code" label="动态口令" span="all" help={help}>
        <Input autoComplete="one-time-code" />
      </Field>
    </>
  )
}
