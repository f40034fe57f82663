/** A form with files, as a browser sends it. */

const boundary = '----form'
export const formType = `multipart/form-data; boundary=${boundary}`
export const formEnding = `--${boundary}--\r\n`

export function formField(name: string, value: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
}

export function formFields(given: Readonly<Record<string, string>>): string {
  return Object.entries(given)
    .map(([name, value]) => formField(name, value))
    .join('')
}

export function formFile(name: string, content: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n${content}\r\n`
}

export function formWithFile(fields: Readonly<Record<string, string>>, name: string, content: string) {
  return { body: formFields(fields) + formFile(name, content) + formEnding, type: formType }
}
