// md5 and the sha2 family, by OpenSSL.
#include <openssl/evp.h>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/bytea.h"

namespace mayfly::func {

namespace {

std::string_view Digest(const EVP_MD* algorithm, std::string_view bytes, unsigned char (&out)[EVP_MAX_MD_SIZE]) {
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), out, &size, algorithm, nullptr) != 1) {
    Throw(SqlError::Make(kInternalError, "could not compute {} hash: {}", EVP_MD_get0_name(algorithm), "unsupported"));
  }
  return {reinterpret_cast<const char*>(out), size};
}

void DigestKernel(const KernelCall& call, const EVP_MD* algorithm) {
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view bytes) {
    unsigned char out[EVP_MAX_MD_SIZE];
    return call.result.heap().Copy(Digest(algorithm, bytes, out));
  });
}

void Md5Kernel(const KernelCall& call) {
  std::string hex;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view bytes) {
    unsigned char out[EVP_MAX_MD_SIZE];
    hex.clear();
    types::AppendHex(Digest(EVP_md5(), bytes, out), hex);
    return Keep(call, hex);
  });
}

}  // namespace

void Md5Text(const KernelCall& call) { Md5Kernel(call); }
void Md5Bytea(const KernelCall& call) { Md5Kernel(call); }
void Sha224Bytea(const KernelCall& call) { DigestKernel(call, EVP_sha224()); }
void Sha256Bytea(const KernelCall& call) { DigestKernel(call, EVP_sha256()); }
void Sha384Bytea(const KernelCall& call) { DigestKernel(call, EVP_sha384()); }
void Sha512Bytea(const KernelCall& call) { DigestKernel(call, EVP_sha512()); }

}  // namespace mayfly::func
