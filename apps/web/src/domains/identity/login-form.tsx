import { Button } from 'antd'
import { useState } from 'react'
import { LoginFields, noCredentials } from './login-fields.tsx'
import type { useLogin } from './use-login.ts'

/** Account, password, other fields the server requires, and one button. */
export function LoginForm({ state, button }: { state: ReturnType<typeof useLogin>; button: string }) {
  const [values, setValues] = useState(noCredentials)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void state.submit(values)
      }}
    >
      <LoginFields state={state} values={values} onChange={setValues} />
      <Button
        type="primary"
        htmlType="submit"
        block
        className="go"
        loading={state.busy}
        disabled={!values.account.trim() || !values.password}
      >
        {button}
      </Button>
    </form>
  )
}
