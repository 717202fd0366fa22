import { EyeInvisibleOutlined, EyeOutlined, LockOutlined, ReloadOutlined, SafetyOutlined, UserOutlined } from '@ant-design/icons'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Credentials, LoginState } from './use-login.ts'

export interface LoginFieldsProps {
  state: LoginState
  values: Credentials
  onChange: (values: Credentials) => void
  large?: boolean
  /** On shared computers the browser should not suggest accounts. */
  noHistory?: boolean
  /** The account is fixed; only the password is entered. */
  fixedAccount?: boolean
}

/** 账号 and 密码; 验证码 and 动态口令 only if required. */
export function LoginFields({ state, values, onChange, large, noHistory, fixedAccount }: LoginFieldsProps) {
  const [caps, setCaps] = useState(false)
  const account = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const captcha = useRef<HTMLInputElement>(null)
  const otp = useRef<HTMLInputElement>(null)
  const { fault, needsCaptcha, needsOtp, picture } = state
  const set = (part: Partial<Credentials>) => onChange({ ...values, ...part })
  const latest = useRef(set)
  latest.current = set

  useEffect(() => (fixedAccount ? password : account).current?.focus(), [fixedAccount])
  useEffect(() => {
    if (!fault) return
    // A new captcha was loaded: clear the old answer, keep account and password.
    latest.current({ captcha: '' })
    if (fault.at === 'captcha') captcha.current?.focus()
    if (fault.at === 'otp') otp.current?.focus()
  }, [fault])

  const height = large ? 44 : 36
  const capsHint = (event: React.KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <>
      <label htmlFor="account">账号</label>
      <Box
        id="account"
        inputRef={account}
        height={height}
        icon={<UserOutlined />}
        value={values.account}
        readOnly={fixedAccount}
        maxLength={64}
        autoComplete={noHistory ? 'off' : 'username'}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => set({ account: event.target.value })}
      />
      <label htmlFor="password">密码</label>
      <Box
        secret
        id="password"
        inputRef={password}
        height={height}
        icon={<LockOutlined />}
        value={values.password}
        maxLength={128}
        autoComplete={noHistory ? 'off' : 'current-password'}
        onChange={(event) => set({ password: event.target.value })}
        onKeyUp={capsHint}
        onBlur={() => setCaps(false)}
      />
      {caps && <div className="note">大写锁定已打开</div>}
      {needsCaptcha && (
        <>
          <label htmlFor="captcha">验证码</label>
          <div className="captcha">
            <Box
              id="captcha"
              inputRef={captcha}
              height={height}
              icon={<SafetyOutlined />}
              value={values.captcha}
              maxLength={8}
              placeholder="不分大小写"
              autoComplete="off"
              wrong={fault?.at === 'captcha'}
              aria-describedby={fault?.at === 'captcha' ? 'captcha-fault' : undefined}
              onChange={(event) => set({ captcha: event.target.value })}
            />
            <button type="button" className="zg-bare picture" aria-label="换一张验证码" onClick={state.newPicture}>
              {picture ? <img src={picture.image} alt="验证码图片" height={height} /> : '加载中'}
              <ReloadOutlined />
            </button>
          </div>
          {fault?.at === 'captcha' && (
            <div className="fault" id="captcha-fault" role="alert">
              {fault.text}
            </div>
          )}
        </>
      )}
      {needsOtp && (
        <>
          <label htmlFor="otp">动态口令</label>
          <Box
            id="otp"
            inputRef={otp}
            height={height}
            icon={<SafetyOutlined />}
            value={values.otp}
            maxLength={20}
            placeholder="6 位数字，或一个恢复码"
            autoComplete="one-time-code"
            onChange={(event) => set({ otp: event.target.value })}
          />
        </>
      )}
      {fault && fault.at !== 'captcha' && (
        <div className="fault" role="alert">
          {fault.text}
        </div>
      )}
    </>
  )
}

type BoxProps = Omit<ComponentProps<'input'>, 'height'> & {
  icon: ReactNode
  height: number
  inputRef?: React.Ref<HTMLInputElement>
  wrong?: boolean
  secret?: boolean
}

/** A custom input: the component library's would pull its whole form code into this small page. */
function Box({ icon, height, inputRef, wrong, secret, ...rest }: BoxProps) {
  const [shown, setShown] = useState(false)
  return (
    <span className="id-input" style={{ height }} data-wrong={wrong ? true : undefined}>
      {icon}
      <input ref={inputRef} type={secret && !shown ? 'password' : 'text'} aria-invalid={wrong ? true : undefined} {...rest} />
      {secret && (
        <button type="button" className="zg-bare" aria-label={shown ? '隐藏' : '显示'} onClick={() => setShown(!shown)}>
          {shown ? <EyeOutlined /> : <EyeInvisibleOutlined />}
        </button>
      )}
    </span>
  )
}

export const noCredentials: Credentials = { account: '', password: '', captcha: '', keep: false, otp: '' }
