/** Records in the same form as in the API's JSON, so that both can be compared. */

import type { RecordOf, Shape } from '../fields/shape.ts'
import { compileJson } from '../fields/to-json.ts'
import { account } from '../resources/account.ts'
import { business } from '../resources/business.ts'
import { site } from '../resources/site.ts'
import { user } from '../resources/user.ts'

const {
  crypted_password: _hash,
  salt: _salt,
  activation_code: _code,
  password_reset_code: _reset,
  remember_token: _token,
  ...person
} = user

export const accountRecord = recordOf(account)
export const businessRecord = recordOf(business)
export const siteRecord = recordOf(site)
export const userRecord = recordOf(person)

function recordOf<S extends Shape>(shape: S): (record: RecordOf<S>) => object {
  const write = compileJson(null, shape)
  return (record) => JSON.parse(write(record))
}
